# MPI tests as first-class citizens: which ranks a test needs, and everything two small cores need besides.

# The MPI this build was configured with: openmpi, mpich or other.
function(halocline_mpi_implementation result)
  include(CheckSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  check_source_compiles(C "#include <mpi.h>\n#ifndef OPEN_MPI\n#error\n#endif\nint main(void) { return 0; }"
    HALOCLINE_IS_OPEN_MPI)
  check_source_compiles(C "#include <mpi.h>\n#ifndef MPICH\n#error\n#endif\nint main(void) { return 0; }"
    HALOCLINE_IS_MPICH)
  if(HALOCLINE_IS_OPEN_MPI)
    set(${result} openmpi PARENT_SCOPE)
  elseif(HALOCLINE_IS_MPICH)
    set(${result} mpich PARENT_SCOPE)
  else()
    set(${result} other PARENT_SCOPE)
  endif()
endfunction()

halocline_mpi_implementation(HALOCLINE_MPI)
message(STATUS "MPI tests run on: ${HALOCLINE_MPI}, ${MPIEXEC_EXECUTABLE}")

# More ranks than cores, as root if need be, and idle ranks give way: otherwise sixteen ranks on two cores crawl.
set(halocline_mpi_environment)
set(halocline_mpi_launch ${MPIEXEC_EXECUTABLE})
if(HALOCLINE_MPI STREQUAL "openmpi")
  list(APPEND halocline_mpi_environment
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_btl_base_warn_component_unused=0)
elseif(HALOCLINE_MPI STREQUAL "mpich")
  # MPICH over UCX spins without giving way; the preload makes an idle rank yield.
  add_library(halocline_mpich_yield SHARED ${CMAKE_CURRENT_LIST_DIR}/../tests/mpi/support/mpich_yield.c)
  target_link_libraries(halocline_mpich_yield PRIVATE ${CMAKE_DL_LIBS})
  list(APPEND halocline_mpi_launch -genv LD_PRELOAD $<TARGET_FILE:halocline_mpich_yield>)
endif()

# Open MPI tells nodes apart by name: can processes here have a machine name of their own?
set(halocline_several_nodes TRUE)
if(HALOCLINE_MPI STREQUAL "openmpi")
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../tests/mpi/support/node_shell.sh other true
    RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    set(halocline_several_nodes FALSE)
  endif()
elseif(NOT HALOCLINE_MPI STREQUAL "mpich")
  set(halocline_several_nodes FALSE)
endif()
if(NOT halocline_several_nodes)
  message(STATUS "No tests on several nodes: this machine or this MPI cannot stand for more than one")
endif()

# What makes the launcher start ranks on several nodes, "3;2;3" of the given sizes, all of them this machine under
# other names. BY is slot (fill a node, then the next) or node (deal in turn).
function(halocline_mpi_nodes result sizes by)
  set(hosts)
  set(number 0)
  foreach(size IN LISTS sizes)
    list(APPEND hosts n${number}:${size})
    math(EXPR number "${number} + 1")
  endforeach()
  list(JOIN hosts "," hosts)
  if(HALOCLINE_MPI STREQUAL "openmpi")
    set(${result} --host ${hosts} --map-by ${by} --bind-to none
      --mca plm_rsh_agent ${PROJECT_SOURCE_DIR}/tests/mpi/support/node_shell.sh --mca plm_rsh_no_tree_spawn 1
      --mca oob_tcp_if_include lo --mca btl_tcp_if_include lo --mca pml ob1 --mca btl self,vader,tcp PARENT_SCOPE)
  elseif(by STREQUAL "node")
    string(REGEX REPLACE ":[0-9]+" "" hosts ${hosts})
    set(${result} -launcher fork -ppn 1 -hosts ${hosts} PARENT_SCOPE)
  else()
    set(${result} -launcher fork -hosts ${hosts} PARENT_SCOPE)
  endif()
endfunction()

# halocline_mpi_run(NAME name RANKS n [NODES size... [BY slot|node]] [TIMEOUT seconds] [ENVIRONMENT VAR=value...]
#                   [EXPECT regular_expression] COMMAND program argument...)
# One ctest entry mpi.<implementation>.<name>.<n>. It is killed, and has failed, after TIMEOUT seconds (60).
function(halocline_mpi_run)
  cmake_parse_arguments(run "" "NAME;RANKS;BY;TIMEOUT;EXPECT" "NODES;ENVIRONMENT;COMMAND" ${ARGN})
  if(NOT run_TIMEOUT)
    set(run_TIMEOUT 60)
  endif()
  set(options)
  set(test mpi.${HALOCLINE_MPI}.${run_NAME}.${run_RANKS})
  if(run_NODES)
    if(NOT run_BY)
      set(run_BY slot)
    endif()
    if(NOT halocline_several_nodes)
      return()
    endif()
    halocline_mpi_nodes(options "${run_NODES}" ${run_BY})
    list(JOIN run_NODES "+" nodes_name)
    string(APPEND test .on_${nodes_name}_by_${run_BY})
  endif()
  add_test(NAME ${test}
    COMMAND ${halocline_mpi_launch} ${options} ${MPIEXEC_NUMPROC_FLAG} ${run_RANKS} ${run_COMMAND})
  set_tests_properties(${test} PROPERTIES
    LABELS "mpi" TIMEOUT ${run_TIMEOUT} PROCESSORS 2 ENVIRONMENT "${halocline_mpi_environment};${run_ENVIRONMENT}")
  if(run_EXPECT)
    set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "${run_EXPECT}")
  endif()
endfunction()

# halocline_mpi_test(name SOURCES a.cpp... RANKS 1 2 8... [TIMEOUT seconds] [ENVIRONMENT VAR=value...])
# A GoogleTest program that runs once for each number of ranks. It fails if any rank does.
function(halocline_mpi_test name)
  cmake_parse_arguments(test "" "TIMEOUT" "SOURCES;RANKS;ENVIRONMENT" ${ARGN})
  add_executable(${name}_mpi_test ${test_SOURCES})
  target_link_libraries(${name}_mpi_test PRIVATE halocline halocline_flags halocline_mpi_test_main)
  if(TARGET halocline_mpich_yield)
    add_dependencies(${name}_mpi_test halocline_mpich_yield)
  endif()
  foreach(ranks IN LISTS test_RANKS)
    halocline_mpi_run(NAME ${name} RANKS ${ranks} TIMEOUT ${test_TIMEOUT} ENVIRONMENT ${test_ENVIRONMENT}
      COMMAND $<TARGET_FILE:${name}_mpi_test>)
  endforeach()
endfunction()
