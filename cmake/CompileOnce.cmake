# What keeps compiling short: a compiler cache, headers that are read once, and files that are compiled together.

# ccache, where it is installed: what one build has compiled, no other one compiles again, in whatever folder it lies.
find_program(HALOCLINE_CCACHE ccache)
mark_as_advanced(HALOCLINE_CCACHE)
if(HALOCLINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths count from the build folder, precompiled headers by their contents; the compiler tells what a file includes.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${HALOCLINE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# halocline_read_once(NAME [PROGRAMS] [LINKS library...] HEADERS <header>...): a precompiled header that libraries, or with
# PROGRAMS programs, share by halocline_reads(NAME target...). Every file still names what it uses: the
# preset dev, whose floors read their headers themselves, and clang-tidy find those that do not.
function(halocline_read_once name)
  cmake_parse_arguments(once "PROGRAMS" "" "LINKS;HEADERS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/generated/${name}_headers.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Nothing but its precompiled header.\n")
  add_library(halocline_${name}_headers OBJECT ${source})
  target_link_libraries(halocline_${name}_headers PRIVATE halocline_flags ${once_LINKS})
  target_precompile_headers(halocline_${name}_headers PRIVATE ${once_HEADERS})
  # CMake would compile libraries for any place in memory and programs otherwise, each with headers of its own.
  if(once_PROGRAMS)
    set_target_properties(halocline_${name}_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  endif()
  halocline_keep_headers(halocline_${name}_headers)
endfunction()

function(halocline_reads name)
  get_target_property(independent halocline_${name}_headers POSITION_INDEPENDENT_CODE)
  foreach(target IN LISTS ARGN)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ${independent})
    target_precompile_headers(${target} REUSE_FROM halocline_${name}_headers)
    halocline_keep_headers(${target})
  endforeach()
endfunction()

# What comes out of one is no longer
# known to be of the system, so that GCC 12 tells of copies in std::string that never happen.
function(halocline_keep_headers target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess> $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow>
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>)
  endif()
endfunction()

# halocline_together(target...): the files of a target are compiled eight at a time, as one: most of the time goes into
# headers and templates that they have in common. Names in their unnamed namespaces have to differ; clang-tidy looks at each
# file alone and finds includes that are missing. Who changes one file again and again is faster without.
option(HALOCLINE_TOGETHER "Compile several files of a target as one" ON)
function(halocline_together)
  if(HALOCLINE_TOGETHER)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
