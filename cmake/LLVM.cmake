# LLVM for the module that generates code: sets HALOCLINE_HAS_LLVM if there is one that it was written for. Nothing
# else needs it, so that its absence is no error.
set(HALOCLINE_HAS_LLVM OFF)
find_package(LLVM CONFIG QUIET)
if(NOT LLVM_FOUND)
  message(STATUS "No LLVM: datatypes are packed by kernels alone")
elseif(LLVM_VERSION_MAJOR LESS 14 OR LLVM_VERSION_MAJOR GREATER 15)
  message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} is neither 14 nor 15: datatypes are packed by kernels alone")
else()
  message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} generates code that packs datatypes")
  set(HALOCLINE_HAS_LLVM ON)
endif()
