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
# Nobody's own prices of messages decide what tests find.
set(halocline_mpi_environment HALOCLINE_PRICES=none)
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
#                   [EXPECT regular_expression [STATUS number]] COMMAND program argument...)
# One ctest entry mpi.<implementation>.<name>.<n>. It is killed, and has failed, after TIMEOUT seconds (60). With EXPECT the
# job has to print that, and to end with STATUS (0), or with any other one if that is `failure`.
function(halocline_mpi_run)
  cmake_parse_arguments(run "" "NAME;RANKS;BY;TIMEOUT;EXPECT;STATUS" "NODES;ENVIRONMENT;COMMAND" ${ARGN})
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
  set(command ${halocline_mpi_launch} ${options} ${MPIEXEC_NUMPROC_FLAG} ${run_RANKS} ${run_COMMAND})
  if(run_EXPECT)
    halocline_expecting(command "${run_EXPECT}" "${run_STATUS}" ${command})
  endif()
  add_test(NAME ${test} COMMAND ${command})
  halocline_mpi_properties(${test} ${run_RANKS} ${run_TIMEOUT} ${run_ENVIRONMENT})
endfunction()

# What every entry under MPI has: a job of one rank leaves a core to another one.
function(halocline_mpi_properties test ranks timeout)
  set(cores 2)
  if(ranks EQUAL 1)
    set(cores 1)
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "mpi" TIMEOUT ${timeout} PROCESSORS ${cores}
    ENVIRONMENT "${halocline_mpi_environment};${ARGN}")
endfunction()

# halocline_expecting(result expression status command...): the command, watched: it has to print what the expression says
# and to end with the status. (CTest's own PASS_REGULAR_EXPRESSION forgets the status.)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
function(halocline_expecting result expression status)
  if(NOT status)
    set(status 0)
  endif()
  set(${result} ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/expect.py "${expression}" ${status} ${ARGN} PARENT_SCOPE)
endfunction()

# halocline_mpi_test(FILE... RANKS 1 2 8...): tests/mpi/FILE_test.cpp, as part of the one program of all such files, which is
# launched once for each number of ranks and then runs every file that asked for it.
function(halocline_mpi_test)
  cmake_parse_arguments(test "" "" "RANKS" ${ARGN})
  foreach(file IN LISTS test_UNPARSED_ARGUMENTS)
    set_property(GLOBAL APPEND PROPERTY HALOCLINE_MPI_TESTS ${file})
    foreach(ranks IN LISTS test_RANKS)
      set_property(GLOBAL APPEND PROPERTY HALOCLINE_MPI_TESTS_ON_${ranks} ${file})
    endforeach()
  endforeach()
endfunction()

# halocline_mpi_test_program(): the program mpi_tests, and mpi.<implementation>.tests.<ranks> for each number of ranks. A failure on
# any rank is one of the program. Open MPI runs every number; with MPICH primes, powers of two and the largest stand for the others,
# since only what talks to MPI differs.
set(ranks_with_mpich 1 2 3 4 7 8 16)
function(halocline_mpi_test_program)
  get_property(files GLOBAL PROPERTY HALOCLINE_MPI_TESTS)
  list(TRANSFORM files APPEND _test.cpp)
  add_executable(mpi_tests support/main.cpp ${files})
  target_include_directories(mpi_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ../pure)
  target_link_libraries(mpi_tests PRIVATE halocline_inside halocline_flags GTest::gtest)
  halocline_hides(mpi_tests)
  halocline_reads(tests mpi_tests)
  halocline_together(mpi_tests)
  foreach(module halocline_mpich_yield halocline_llvm)
    if(TARGET ${module})
      add_dependencies(mpi_tests ${module})
    endif()
  endforeach()
  foreach(ranks RANGE 1 16)
    get_property(files GLOBAL PROPERTY HALOCLINE_MPI_TESTS_ON_${ranks})
    if(files AND (HALOCLINE_MPI STREQUAL "openmpi" OR ranks IN_LIST ranks_with_mpich))
      list(JOIN files "," files)
      halocline_mpi_run(NAME tests RANKS ${ranks} TIMEOUT 900 COMMAND $<TARGET_FILE:mpi_tests> --files=${files})
    endif()
  endforeach()
endfunction()

find_program(HALOCLINE_MPIFORT NAMES mpifort.${HALOCLINE_MPI})

# halocline_fortran_mpi_program(name depends...): name.f90 as name, and the imported target name_program. MPI's own compiler
# knows which library of Fortran its interfaces are in.
function(halocline_fortran_mpi_program name)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${name}.f90)
  add_custom_command(OUTPUT ${name} DEPENDS ${source} ${ARGN}
    COMMAND ${HALOCLINE_MPIFORT} -O1 -w -fallow-argument-mismatch -o ${name} ${source})
  add_custom_target(${name}_build ALL DEPENDS ${name})
  add_executable(${name}_program IMPORTED GLOBAL)
  set_target_properties(${name}_program PROPERTIES IMPORTED_LOCATION ${CMAKE_CURRENT_BINARY_DIR}/${name})
endfunction()
