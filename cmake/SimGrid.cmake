# SimGrid for halocline simulate: sets HALOCLINE_HAS_SIMGRID if there is one with SMPI, whose mpi.h lies apart from its
# other headers. Nothing else needs it, so that its absence is no error.
set(HALOCLINE_HAS_SIMGRID OFF)
find_path(SimGrid_INCLUDE_DIR simgrid/s4u.hpp)
find_path(SimGrid_SMPI_INCLUDE_DIR mpi.h PATHS ${SimGrid_INCLUDE_DIR}/smpi NO_DEFAULT_PATH)
find_library(SimGrid_LIBRARY simgrid)
mark_as_advanced(SimGrid_INCLUDE_DIR SimGrid_SMPI_INCLUDE_DIR SimGrid_LIBRARY)
if(SimGrid_INCLUDE_DIR AND SimGrid_SMPI_INCLUDE_DIR AND SimGrid_LIBRARY)
  message(STATUS "SimGrid simulates the exchange engine: ${SimGrid_LIBRARY}")
  set(HALOCLINE_HAS_SIMGRID ON)
else()
  message(STATUS "No SimGrid: halocline simulate has nothing to run on")
endif()
