# One folder of src/ is one floor is one target. A floor is an object library, so that the one library users
# link can be put together from all of them; what it may include is said in layers.txt.

add_library(halocline_flags INTERFACE)
target_include_directories(halocline_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
# GCC 12 sees overlapping copies in "text" + std::to_string(n) that are none: no -Wrestrict.
target_compile_options(halocline_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual -Wno-restrict> $<$<BOOL:${HALOCLINE_WERROR}>:-Werror>)
# Everything that links an instrumented object needs the runtime: for the whole build, not for a target.
if(HALOCLINE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

halocline_read_once(standard HEADERS <algorithm> <array> <cmath> <cstdint> <cstdlib> <cstring> <functional> <limits> <map>
  <memory> <numeric> <optional> <span> <sstream> <string> <string_view> <unordered_map> <utility> <vector>)

# halocline_floor(NAME SOURCE...): the floor in this folder, as target halocline_NAME.
function(halocline_floor name)
  add_library(halocline_${name} OBJECT ${ARGN})
  target_link_libraries(halocline_${name} PRIVATE halocline_flags)
  halocline_reads(standard halocline_${name})
  set_property(GLOBAL APPEND PROPERTY HALOCLINE_FLOORS halocline_${name})
endfunction()
