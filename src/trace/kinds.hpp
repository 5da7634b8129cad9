// SPDX-License-Identifier: BSD-3-Clause
// What a trace tells apart, and the names of it in files and tables.
#pragma once

#include "base/index.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace halocline::trace {

/// How bytes get from one process to another that is known.
enum class Way { message, neighbor, one_sided };
inline constexpr std::array<std::string_view, 3> way_names{"message", "neighbor", "one-sided"};

/// Calls of all processes of a communicator, in which nobody says who sends to whom. Blocking, immediate and
/// persistent calls are of one kind, and so are those with a v or w at their end.
enum class Collective {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter,
  scan
};
inline constexpr std::array<std::string_view, 10> collective_names{
    "barrier",  "bcast",  "gather",    "scatter",        "allgather",
    "alltoall", "reduce", "allreduce", "reduce-scatter", "scan"};

/// What time goes into. The kinds of collectives come first and in their order.
enum class Activity {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter,
  scan,
  neighbor,
  send,
  receive,
  sendrecv,
  start,
  wait,
  probe,
  one_sided,
  window
};
inline constexpr auto activity_names = [] {
  constexpr std::array<std::string_view, 9> others{"neighbor", "send",  "receive",   "sendrecv", "start",
                                                   "wait",     "probe", "one-sided", "window"};
  std::array<std::string_view, collective_names.size() + others.size()> all;
  std::ranges::copy(others, std::ranges::copy(collective_names, all.begin()).out);
  return all;
}();
static_assert(activity_names[to_index(Activity::window)] == "window");

[[nodiscard]] constexpr std::string_view name_of(Way way) { return way_names[to_index(way)]; }
[[nodiscard]] constexpr std::string_view name_of(Collective kind) { return collective_names[to_index(kind)]; }
[[nodiscard]] constexpr std::string_view name_of(Activity kind) { return activity_names[to_index(kind)]; }

}  // namespace halocline::trace
