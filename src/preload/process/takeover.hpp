// SPDX-License-Identifier: BSD-3-Clause
// Our functions in place of MPI's: those of intercepted.def, of the same types. Each file that defines some
// of them says when it takes a call over and when it leaves it to the system. In the namespace fortran are
// those in place of Open MPI's Fortran interface; they read their arguments and do what the others do.
#pragma once

#include "preload/process/persistent_names.hpp"
#include "preload/process/system.hpp"

#include <mpi.h>
#if defined(HALOCLINE_PERSISTENT_MPIX)
#include <mpi-ext.h>
#endif

#include <type_traits>

namespace halocline::preload {

/// The type of a call of Fortran, from that of C: all arguments are references, handles are integers, and the
/// result is the last argument.
template <class C>
struct FortranCall;
template <class... Arguments>
struct FortranCall<int(Arguments...)> {
  template <class C>
  using Passed =
      std::conditional_t<std::is_same_v<C, void*> || std::is_same_v<C, const void*>, void*,
                         std::conditional_t<std::is_same_v<C, const MPI_Aint*>, MPI_Aint*, MPI_Fint*>>;
  using Type = void(Passed<Arguments>..., MPI_Fint*);
};

// By the doors of a call, as every_door.inc has them. NOLINTBEGIN(bugprone-macro-parentheses): names
// clang-format off
#define HALOCLINE_plain(name, function) decltype(MPI_##name) function;
#define HALOCLINE_both(name, function) template <Prefix prefix> decltype(MPI_##name) function;
#define HALOCLINE_OF_FORTRAN(name, function) \
  namespace fortran { FortranCall<decltype(MPI_##name)>::Type function; }
#define HALOCLINE_fortran(name, function) HALOCLINE_plain(name, function) HALOCLINE_OF_FORTRAN(name, function)
#define HALOCLINE_both_fortran(name, function) HALOCLINE_both(name, function) HALOCLINE_OF_FORTRAN(name, function)
#define HALOCLINE_request HALOCLINE_both
#define HALOCLINE_start(name, function)
#define HALOCLINE_neighbor(name, function)  // in neighbor.hpp, of both rooms that have them
#define HALOCLINE_persistent(name, function)
#define HALOCLINE_CALL(doors, opening, feature, name, function, ...) HALOCLINE_##doors(name, function)
#include "preload/process/intercepted.def"
#undef HALOCLINE_CALL
#undef HALOCLINE_persistent
#undef HALOCLINE_neighbor
#undef HALOCLINE_start
#undef HALOCLINE_request
#undef HALOCLINE_both_fortran
#undef HALOCLINE_both
#undef HALOCLINE_fortran
#undef HALOCLINE_plain
#undef HALOCLINE_OF_FORTRAN
// clang-format on

}  // namespace halocline::preload

/// Where the template is defined that takes MPI_Name over under both its names.
#define HALOCLINE_BOTH_WAYS(name, function)              \
  template decltype(MPI_##name) function<Prefix::plain>; \
  template decltype(MPI_##name) function<Prefix::profiling>;
// NOLINTEND(bugprone-macro-parentheses)
