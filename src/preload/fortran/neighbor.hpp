// SPDX-License-Identifier: BSD-3-Clause
// The neighbourhood collectives of Open MPI's Fortran library.
#pragma once

#include "preload/fortran/fortran_arguments.hpp"
#include "preload/neighbor/neighbor.hpp"

namespace halocline::preload::fortran {

/// An argument of Fortran as whatever of C is wanted of it.
template <class T>
struct Argument {
  T* word;
  // So that sides of calls are made of arguments. NOLINTBEGIN(google-explicit-constructor)
  operator const void*() const { return c_buffer(word); }
};
template <>
struct Argument<MPI_Fint> {
  MPI_Fint* word;
  operator int() const { return *word; }
  operator const int*() const { return word; }
  operator MPI_Datatype() const { return type_of(word); }
  operator MPI_Comm() const { return comm_of(word); }
};
template <>
struct Argument<MPI_Aint> {
  MPI_Aint* word;
  operator const MPI_Aint*() const { return word; }
  // NOLINTEND(google-explicit-constructor)
};

/// How a side of C is read in Fortran.
template <class Side>
using Read = std::conditional_t<std::is_same_v<Side, Mixed>, MixedFortran, Side>;

template <Name c_name, Name name, Form form, Call call, class Send, class Receive, class Function>
struct NeighborCollective;
template <Name c_name, Name name, Form form, Call call, class Send, class Receive, class... Arguments>
struct NeighborCollective<c_name, name, form, call, Send, Receive, int(Arguments...)> {
  using Fortran = FortranCall<int(Arguments...)>;

  static void function(typename Fortran::template Passed<Arguments>... arguments, MPI_Fint* ierror) {
    static Tally& tally = tally_of(c_name.text.data());
    static const auto system = reinterpret_cast<typename Fortran::Type*>(system_function(name.text.data()));
    const std::tuple all(
        Argument<std::remove_pointer_t<typename Fortran::template Passed<Arguments>>>{arguments}...);
    MPI_Request made = MPI_REQUEST_NULL;
    bool is_ours = true;
    const int code = take_over<form>(tally, call, side_of<Send, 0>(all), side_of<Receive, Send::fields>(all),
                                     std::get<place_of_comm<Send, Receive>>(all), &made, [&] {
                                       is_ours = false;
                                       MPI_Fint systems = MPI_SUCCESS;
                                       system(arguments..., &systems);
                                       return systems;
                                     });
    // One of ours has a handle of C.
    if constexpr (form != Form::blocking)
      if (is_ours && code == MPI_SUCCESS)
        *std::get<sizeof...(Arguments) - 1>(all).word = PMPI_Request_c2f(made);
    give(code, ierror);
  }
};

// NOLINTBEGIN(bugprone-macro-parentheses): names
#define HALOCLINE_NEIGHBOR(ours, name, form, call, Send, Receive)                                    \
  constexpr auto* ours = &NeighborCollective<"MPI_" #name, "mpi_" #ours "_", Form::form, Call::call, \
                                             Read<Send>, Read<Receive>, decltype(MPI_##name)>::function;
#define HALOCLINE_NEIGHBOR_INIT(ours, name, form, call, Send, Receive)                                 \
  constexpr auto* ours =                                                                               \
      &NeighborCollective<HALOCLINE_PERSISTENT_NAME(name), HALOCLINE_PERSISTENT_FORTRAN_NAME(ours##_), \
                          Form::form, Call::call, Read<Send>, Read<Receive>,                           \
                          decltype(HALOCLINE_PERSISTENT(, name))>::function;
// NOLINTEND(bugprone-macro-parentheses)
#include "preload/neighbor/collectives.def"
#undef HALOCLINE_NEIGHBOR
#undef HALOCLINE_NEIGHBOR_INIT

}  // namespace halocline::preload::fortran
