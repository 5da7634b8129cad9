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
# file alone and finds includes that are missing. Files with flags of their own, and those with the property
# HALOCLINE_ALONE, are compiled alone. Who changes one file again and again is faster without.
# CMake's unity builds do the same, but name files by their full paths: a clone in another folder would find nothing in the
# compiler's cache.
option(HALOCLINE_TOGETHER "Compile several files of a target as one" ON)
define_property(SOURCE PROPERTY HALOCLINE_ALONE BRIEF_DOCS "Compiled alone" FULL_DOCS "Not together with others")
function(halocline_together)
  if(HALOCLINE_TOGETHER)
    foreach(target IN LISTS ARGN)
      cmake_language(EVAL CODE "cmake_language(DEFER CALL halocline_join_files ${target})")  # when all is said of its files
    endforeach()
  endif()
endfunction()

function(halocline_join_files target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(source_folder ${target} SOURCE_DIR)
  set(folder ${PROJECT_BINARY_DIR}/generated/together/${target})
  set(compiled)
  set(includes)
  foreach(source IN LISTS sources)
    halocline_stands_alone(alone ${source})
    if(alone)
      list(APPEND compiled ${source})
    else()
      get_filename_component(path ${source} ABSOLUTE BASE_DIR ${source_folder})
      file(RELATIVE_PATH path ${folder} ${path})
      list(APPEND includes "#include \"${path}\"")
    endif()
  endforeach()
  list(LENGTH includes count)
  set(number 0)
  while(number LESS count)
    list(SUBLIST includes ${number} 8 some)
    list(JOIN some "\n" text)
    set(file ${folder}/from_${number}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}\n" @ONLY)
    list(APPEND compiled ${file})
    math(EXPR number "${number} + 8")
  endwhile()
  set_target_properties(${target} PROPERTIES SOURCES "${compiled}")
endfunction()

# Is this no C++ file, or one that is not like the others?
function(halocline_stands_alone variable source)
  set(alone NO)
  if(source MATCHES "[$]<" OR NOT source MATCHES "[.]cpp$")
    set(alone YES)
  else()
    foreach(property GENERATED COMPILE_OPTIONS COMPILE_DEFINITIONS HALOCLINE_ALONE)
      get_source_file_property(value ${source} ${property})
      if(value)
        set(alone YES)
      endif()
    endforeach()
  endif()
  set(${variable} ${alone} PARENT_SCOPE)
endfunction()
