# What never sees mpi.h, out of another build of this tree, HALOCLINE_CORE_FROM, which is brought up to date whenever this one is
# built: the floors of the pure core, and the part of the tool that needs nothing else.
if(NOT EXISTS ${HALOCLINE_CORE_FROM}/halocline-core.cmake)
  message(FATAL_ERROR "HALOCLINE_CORE_FROM is ${HALOCLINE_CORE_FROM}, where nothing was configured: "
    "cmake --preset release comes first")
endif()
include(${HALOCLINE_CORE_FROM}/halocline-core.cmake)
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
set(targets halocline_core)
set(objects)
foreach(floor base describe shape place network schedule compile accelerate plan trace)
  set_property(GLOBAL APPEND PROPERTY HALOCLINE_FLOORS core::halocline_${floor})
  get_target_property(of_floor core::halocline_${floor} IMPORTED_OBJECTS_${type})
  list(APPEND objects ${of_floor})
endforeach()
if(HALOCLINE_TOOLS)
  list(APPEND targets halocline_pure_tool)
  get_target_property(of_tool core::halocline_pure_tool IMPORTED_OBJECTS_${type})
  list(APPEND objects ${of_tool})
endif()
add_custom_target(halocline_core ALL BYPRODUCTS ${objects}
  COMMAND ${CMAKE_COMMAND} --build ${HALOCLINE_CORE_FROM} --target ${targets}
  COMMENT "What never sees mpi.h, in ${HALOCLINE_CORE_FROM}")
