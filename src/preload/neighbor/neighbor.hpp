// SPDX-License-Identifier: BSD-3-Clause
// The neighbourhood collectives of the C interface: those of collectives.def, as constants that point to
// them.
#pragma once

#include "preload/neighbor/neighbor_call.hpp"
#include "preload/process/takeover.hpp"

#include <tuple>
#include <utility>

namespace halocline::preload {

/// One side of a call, from its arguments, which begin with that one.
template <class Side, std::size_t first, class Arguments>
Side side_of(const Arguments& arguments) {
  return [&]<std::size_t... i>(std::index_sequence<i...> /*fields*/) {
    return Side{std::get<first + i>(arguments)...};
  }
  (std::make_index_sequence<Side::fields>());
}

/// Where the communicator stands among them.
template <class Send, class Receive>
constexpr std::size_t place_of_comm = Send::fields + Receive::fields;

/// By ours, or by the system.
template <Form form, class Send, class Receive, class System>
int take_over(Tally& tally, Call call, const Send& send, const Receive& receive, MPI_Comm comm,
              MPI_Request* request, const System& system) {
  if constexpr (form == Form::blocking) return run(tally, call, send, receive, comm, system);
  if constexpr (form == Form::non_blocking) return start(tally, call, send, receive, comm, request, system);
  if constexpr (form == Form::persistent) return prepare(tally, call, send, receive, comm, request, system);
}

template <Name name, Form form, Call call, class Send, class Receive, class Function>
struct NeighborCollective;
template <Name name, Form form, Call call, class Send, class Receive, class... Arguments>
struct NeighborCollective<name, form, call, Send, Receive, int(Arguments...)> {
  static int function(Arguments... arguments) {
    static Tally& tally = tally_of(name.text.data());
    static const auto system = reinterpret_cast<int (*)(Arguments...)>(system_function(name.text.data()));
    const std::tuple<Arguments...> all(arguments...);
    MPI_Request* request = nullptr;
    if constexpr (form != Form::blocking) request = std::get<sizeof...(Arguments) - 1>(all);
    return take_over<form>(tally, call, side_of<Send, 0>(all), side_of<Receive, Send::fields>(all),
                           std::get<place_of_comm<Send, Receive>>(all), request,
                           [&] { return system(arguments...); });
  }
};

// NOLINTBEGIN(bugprone-macro-parentheses): names
#define HALOCLINE_NEIGHBOR(ours, name, form, call, Send, Receive)                                 \
  constexpr auto* ours = &NeighborCollective<"MPI_" #name, Form::form, Call::call, Send, Receive, \
                                             decltype(MPI_##name)>::function;
#define HALOCLINE_NEIGHBOR_INIT(ours, name, form, call, Send, Receive)                                      \
  constexpr auto* ours = &NeighborCollective<HALOCLINE_PERSISTENT_NAME(name), Form::form, Call::call, Send, \
                                             Receive, decltype(HALOCLINE_PERSISTENT(, name))>::function;
// NOLINTEND(bugprone-macro-parentheses)
#include "preload/neighbor/collectives.def"
#undef HALOCLINE_NEIGHBOR
#undef HALOCLINE_NEIGHBOR_INIT

}  // namespace halocline::preload
