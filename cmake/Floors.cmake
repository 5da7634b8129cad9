# One folder of src/ is one floor is one target. A floor is an object library, so that the one library users
# link can be put together from all of them; what it may include is said in layers.txt.

include(${CMAKE_CURRENT_LIST_DIR}/Version.cmake)
add_library(halocline_flags INTERFACE)
target_include_directories(halocline_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
  ${halocline_generated_include})
# GCC 12 sees overlapping copies in "text" + std::to_string(n) that are none: no -Wrestrict.
target_compile_options(halocline_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual -Wno-restrict> $<$<BOOL:${HALOCLINE_WERROR}>:-Werror>)
# With sanitizers the library is instrumented, and what tests it is not: it takes three times as long to compile, and
# what the library does to the memory of a test is seen all the same. Whoever links an instrumented object needs the runtime.
# Null pointers and objects that are too small are found by the address sanitizer, at a third of the compile time.
if(HALOCLINE_SANITIZE STREQUAL "thread")
  set(halocline_sanitizers -fsanitize=thread)
elseif(HALOCLINE_SANITIZE)
  set(halocline_sanitizers -fsanitize=address,undefined)
endif()
function(halocline_sanitize target)
  if(HALOCLINE_SANITIZE)
    target_compile_options(${target} PRIVATE ${halocline_sanitizers} -fno-omit-frame-pointer)
    if(NOT HALOCLINE_SANITIZE STREQUAL "thread")
      target_compile_options(${target} PRIVATE -fno-sanitize=null,object-size,vptr -fno-sanitize-recover=all)
    endif()
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # made without sanitizers
  endif()
endfunction()
if(HALOCLINE_SANITIZE)
  add_link_options(${halocline_sanitizers})
endif()

halocline_read_once(standard HEADERS <algorithm> <array> <cmath> <cstdint> <cstdlib> <cstring> <functional> <limits> <map>
  <memory> <numeric> <optional> <span> <sstream> <string> <string_view> <unordered_map> <utility> <vector>)

# halocline_hides(target...): what they define stays inside a library but for what is marked with HALOCLINE_API. For floors, and
# for whoever has classes of their own that are made of those of the floors.
function(halocline_hides)
  set_target_properties(${ARGN} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# halocline_floor(NAME SOURCE...): the floor in this folder, as target halocline_NAME. What was tuned file by file, the loops
# of packing and of placing, is compiled file by file.
function(halocline_floor name)
  add_library(halocline_${name} OBJECT ${ARGN})
  set_target_properties(halocline_${name} PROPERTIES HALOCLINE_FILES "${ARGN}")
  target_link_libraries(halocline_${name} PRIVATE halocline_flags)
  halocline_hides(halocline_${name})
  halocline_reads(standard halocline_${name})
  if(HALOCLINE_SANITIZE OR NOT name MATCHES "^(compile|place)$")
    halocline_together(halocline_${name})
  endif()
  halocline_sanitize(halocline_${name})
  set_property(GLOBAL APPEND PROPERTY HALOCLINE_FLOORS halocline_${name})
endfunction()
