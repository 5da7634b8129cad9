# LLVM for the module that generates code: sets HALOCLINE_HAS_LLVM if there is one that it was written for. Nothing
# else needs it, so that its absence is no error.
set(HALOCLINE_HAS_LLVM OFF)
find_package(LLVM CONFIG QUIET)
if(NOT LLVM_FOUND)
  halocline_left_out("code generated for datatypes, which kernels pack as well" "There is no LLVM" LLVM)
elseif(LLVM_VERSION_MAJOR LESS 14 OR LLVM_VERSION_MAJOR GREATER 15)
  halocline_left_out("code generated for datatypes, which kernels pack as well"
    "LLVM ${LLVM_PACKAGE_VERSION} is neither 14 nor 15" LLVM)
else()
  message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} generates code that packs datatypes")
  set(HALOCLINE_HAS_LLVM ON)
endif()
