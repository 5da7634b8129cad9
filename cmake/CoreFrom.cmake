# The pure core out of another build of this tree, HALOCLINE_CORE_FROM, which is brought up to date whenever this one is built.
if(NOT EXISTS ${HALOCLINE_CORE_FROM}/halocline-core.cmake)
  message(FATAL_ERROR "HALOCLINE_CORE_FROM is ${HALOCLINE_CORE_FROM}, where nothing was configured: "
    "cmake --preset release comes first")
endif()
include(${HALOCLINE_CORE_FROM}/halocline-core.cmake)
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
set(objects)
foreach(floor base describe shape place network schedule compile plan)
  get_target_property(of_floor core::halocline_${floor} IMPORTED_OBJECTS_${type})
  list(APPEND objects ${of_floor})
  set_property(GLOBAL APPEND PROPERTY HALOCLINE_FLOORS core::halocline_${floor})
endforeach()
add_custom_target(halocline_core ALL BYPRODUCTS ${objects}
  COMMAND ${CMAKE_COMMAND} --build ${HALOCLINE_CORE_FROM} --target halocline_core
  COMMENT "The pure core, in ${HALOCLINE_CORE_FROM}")
