// SPDX-License-Identifier: BSD-3-Clause
// How the functions of Open MPI's Fortran interface read their arguments. mpif.h, mpi and mpi_f08 pass the
// same words: handles, integers and logicals by reference; with mpi_f08 the error code may be missing.
#pragma once

#include <mpi.h>

namespace halocline::preload::fortran {

// NOLINTNEXTLINE(misc-redundant-expression): with other MPIs it may differ
static_assert(sizeof(MPI_Fint) == sizeof(int), "integers of Fortran are passed on as they are");

/// A constant of Fortran is a variable that the program and MPI's library share. Null if nobody has it.
[[nodiscard]] const void* variable(const char* name);

/// The buffer as C knows it: MPI_BOTTOM and MPI_IN_PLACE are variables in Fortran.
[[nodiscard]] void* c_buffer(void* buffer);

[[nodiscard]] inline MPI_Comm comm_of(const MPI_Fint* comm) { return PMPI_Comm_f2c(*comm); }
[[nodiscard]] inline MPI_Datatype type_of(const MPI_Fint* type) { return PMPI_Type_f2c(*type); }

inline void give(int code, MPI_Fint* ierror) {
  if (ierror != nullptr) *ierror = code;
}

}  // namespace halocline::preload::fortran
