// SPDX-License-Identifier: BSD-3-Clause
// A trace in a few numbers, for people.
#pragma once

#include "trace/trace.hpp"

#include <array>
#include <optional>
#include <vector>

namespace halocline::trace {

/// All messages from one process to another, of whatever kind.
struct Pair {
  Count source;
  Count target;
  Volume volume;
  std::optional<bool> between_nodes;  ///< Not known where a part is missing.
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// What calls of one kind took all processes together, and the one that it took longest.
struct TimeSum {
  Count calls = 0;
  double seconds = 0;
  double longest_seconds = 0;
};

struct Summary {
  Count nodes = 0;     ///< Of the processes in the trace.
  double seconds = 0;  ///< Of the process that ran longest.
  std::array<Volume, way_names.size()> by_way;
  Volume within_process;
  Volume within_nodes;  ///< Without those that processes send to themselves.
  Volume between_nodes;
  Volume with_outside;
  Volume unknown;             ///< Between processes of which one's part is missing.
  std::vector<Pair> largest;  ///< Pairs of different processes by bytes, then by rank.
  Count pairs = 0;            ///< Of different processes, all of them.
  std::array<Volume, collective_names.size()> collectives;
  std::array<TimeSum, activity_names.size()> times;
};

/// With so many of the largest pairs.
[[nodiscard]] Summary summarize(const Trace& trace, std::size_t most_pairs);

}  // namespace halocline::trace
