// SPDX-License-Identifier: BSD-3-Clause
// Handles, error codes and calls as the Fortran module has them.
#pragma once

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"

#include <mpi.h>

namespace halocline::api {

/// type(MPI_Comm), type(MPI_Info) and type(MPI_Datatype) of mpi_f08, or the integers of `use mpi` and mpif.h.
struct FortranHandle {
  MPI_Fint value;
};

[[nodiscard]] inline MPI_Comm comm_of(const FortranHandle* comm) { return PMPI_Comm_f2c(comm->value); }
[[nodiscard]] inline MPI_Info info_of(const FortranHandle* info) {
  return info == nullptr ? MPI_INFO_NULL : PMPI_Info_f2c(info->value);
}

/// Fortran programs may leave the error code out.
inline void give(int code, int* ierror) {
  if (ierror != nullptr) *ierror = code;
}

/// Reads the arguments of a local function into values and calls it with them.
template <class Read, class Call>
void read_and_call(MPI_Comm comm, int* ierror, const Read& read, const Call& call) noexcept {
  int code = MPI_SUCCESS;
  const int refused = guarded(comm, [&] { code = call(read()); });
  give(refused != MPI_SUCCESS ? refused : code, ierror);
}

/// The same for a collective function: all processes must have read theirs.
template <class Read, class Call>
void agree_and_call(MPI_Comm comm, int* ierror, const Read& read, const Call& call) noexcept {
  read_and_call(
      comm, ierror, [&] { return agreed_arguments(comm, read); }, call);
}

}  // namespace halocline::api

// An interface in Fortran has one list of types, and one name in C. So functions have as many names as there
// are lists that they can tell from each other themselves, or need not: here for either kind of handles.
// NOLINTBEGIN(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)
#define HALOCLINE_FORTRAN_NAME(function, name) decltype(function) name __attribute__((alias(#function)))
#define HALOCLINE_FORTRAN_HANDLES(function)                                     \
  HALOCLINE_FORTRAN_NAME(halocline_f_##function, halocline_f_##function##_f08); \
  HALOCLINE_FORTRAN_NAME(halocline_f_##function, halocline_f_##function##_integer)
// The same for one type of integers or elements.
#define HALOCLINE_FORTRAN_TYPE(function, type)                                           \
  HALOCLINE_FORTRAN_NAME(halocline_f_##function, halocline_f_##function##_##type##_f08); \
  HALOCLINE_FORTRAN_NAME(halocline_f_##function, halocline_f_##function##_##type##_integer)
// NOLINTEND(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)
