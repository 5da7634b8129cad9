# The transfer kernel for GPUs, compiled by whatever is here: clang, which needs no toolkit for it, or nvcc. HALOCLINE_PTX
# names what was made elsewhere. Without any of them the library is built without the kernel. Sets halocline_ptx_source to a
# file that holds it.
set(HALOCLINE_PTX "" CACHE FILEPATH "The transfer kernel as PTX, made elsewhere; else clang or nvcc makes it")
find_program(HALOCLINE_CLANG NAMES clang clang-18 clang-17 clang-16 clang-15 clang-14)
find_program(HALOCLINE_NVCC NAMES nvcc HINTS /usr/local/cuda/bin)
mark_as_advanced(HALOCLINE_CLANG HALOCLINE_NVCC)

set(kernel ${CMAKE_CURRENT_SOURCE_DIR}/kernel/kernels.cu)
set(made ${CMAKE_CURRENT_BINARY_DIR}/kernels.ptx)

# halocline_try_ptx(compiler option...): takes this way to make PTX if none was found before and it works.
set(ptx_command)
function(halocline_try_ptx compiler)
  if(HALOCLINE_PTX OR ptx_command OR NOT compiler)
    return()
  endif()
  set(command ${compiler} ${ARGN} -O3 -std=c++17 -I ${PROJECT_SOURCE_DIR}/src ${kernel} -o ${made})
  execute_process(COMMAND ${command} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(ptx_command ${command} PARENT_SCOPE)
    message(STATUS "${compiler} makes the kernel for GPUs")
  endif()
endfunction()
halocline_try_ptx("${HALOCLINE_CLANG}" -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_70
  -Wno-unknown-cuda-version -S)
halocline_try_ptx("${HALOCLINE_NVCC}" -ptx -arch=compute_70)
halocline_try_ptx("${HALOCLINE_NVCC}" -ptx -arch=compute_75)

set(halocline_ptx_source ${CMAKE_CURRENT_BINARY_DIR}/ptx.cpp)
if(HALOCLINE_PTX AND NOT EXISTS "${HALOCLINE_PTX}")
  message(FATAL_ERROR " HALOCLINE_PTX is ${HALOCLINE_PTX}, and there is no such file")
endif()
set(ptx "${HALOCLINE_PTX}")
if(ptx_command)
  set(ptx ${made})
  add_custom_command(OUTPUT ${made} COMMAND ${ptx_command} DEPENDS ${kernel} ${CMAKE_CURRENT_SOURCE_DIR}/kernel/tile.hpp
    COMMENT "Compiling the kernel for GPUs" VERBATIM)
elseif(NOT ptx)
  halocline_left_out("halos of fields on GPUs" "There is no clang and no nvcc for their kernel, and no HALOCLINE_PTX" clang)
endif()
if(ptx)
  set_property(GLOBAL PROPERTY HALOCLINE_HAS_KERNEL ON)
endif()
add_custom_command(OUTPUT ${halocline_ptx_source}
  COMMAND ${CMAKE_COMMAND} -DPTX=${ptx} -DSOURCE=${halocline_ptx_source} -P ${CMAKE_CURRENT_SOURCE_DIR}/cuda/EmbedPtx.cmake
  DEPENDS ${ptx} ${CMAKE_CURRENT_SOURCE_DIR}/cuda/EmbedPtx.cmake VERBATIM)
