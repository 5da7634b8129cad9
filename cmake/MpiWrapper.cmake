# Two MPIs may be installed: the wrapper for a language is the one beside that of C.
# halocline_mpi_wrapper(LANGUAGE NAME): sets MPI_<LANGUAGE>_COMPILER, unless somebody has, to NAME in the place of mpicc.
function(halocline_mpi_wrapper language name)
  if(NOT MPI_${language}_COMPILER AND MPI_C_COMPILER MATCHES "mpicc")
    cmake_path(GET MPI_C_COMPILER FILENAME wrapper)
    cmake_path(GET MPI_C_COMPILER PARENT_PATH folder)
    string(REPLACE mpicc ${name} wrapper ${wrapper})
    find_program(MPI_${language}_COMPILER NAMES ${wrapper} HINTS ${folder})
  endif()
endfunction()
