// SPDX-License-Identifier: BSD-3-Clause
// What the processes of a job sent each other, sparse: what did not happen takes no room. The part of one
// process, the sum of some parts and the trace of a whole job are the same value and have the same text form.
#pragma once

#include "halocline/base/count.hpp"
#include "trace/kinds.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::trace {

struct Volume {
  Count messages = 0;  ///< Of collectives, calls.
  Count bytes = 0;
  /// Throws Error{invalid_argument} if a sum leaves 64 bits.
  Volume& operator+=(const Volume& more);
  friend bool operator==(const Volume&, const Volume&) = default;
};

/// Stands for all processes that are not in the world of this job: those that it spawned or joined.
constexpr Count outside = -1;

/// From a rank of the world to another one.
struct Flow {
  Count source;
  Count target;
  Way way;
  Volume volume;
  friend bool operator==(const Flow&, const Flow&) = default;
};

/// What a process handed in to collectives of one kind.
struct Share {
  Count rank;
  Collective kind;
  Volume volume;
  friend bool operator==(const Share&, const Share&) = default;
};

/// What calls of one kind took a process, all of its threads together.
struct Time {
  Count rank;
  Activity kind;
  Count calls;
  double seconds;
  friend bool operator==(const Time&, const Time&) = default;
};

/// One whose part is in the trace.
struct Process {
  Count rank;
  double seconds;  ///< From MPI_Init to the end.
  std::string node;
  friend bool operator==(const Process&, const Process&) = default;
};

class Trace {
 public:
  /// Puts all in order, and adds up what is about the same. Throws Error{invalid_argument} that names what
  /// makes no sense: ranks that are not below `ranks`, processes that come twice or have no node, numbers
  /// below 0.
  Trace(Count ranks, std::vector<Process> processes, std::vector<Flow> flows, std::vector<Share> shares,
        std::vector<Time> times);

  /// Of the world, also those whose parts are missing.
  [[nodiscard]] Count ranks() const { return ranks_; }
  [[nodiscard]] const std::vector<Process>& processes() const { return processes_; }  ///< By rank.
  [[nodiscard]] const std::vector<Flow>& flows() const { return flows_; }     ///< By source, target and way.
  [[nodiscard]] const std::vector<Share>& shares() const { return shares_; }  ///< By rank and kind.
  [[nodiscard]] const std::vector<Time>& times() const { return times_; }     ///< By rank and kind.

  /// The contents of a trace file.
  [[nodiscard]] std::string to_text() const;
  /// Takes back what to_text() writes. Throws Error{invalid_argument} that names the line and what is wrong
  /// with it; also for a text that ends early.
  [[nodiscard]] static Trace parse(std::string_view text);

  friend bool operator==(const Trace&, const Trace&) = default;

 private:
  Count ranks_;
  std::vector<Process> processes_;
  std::vector<Flow> flows_;
  std::vector<Share> shares_;
  std::vector<Time> times_;
};

/// All parts of a job, or some, together. Throws Error{invalid_argument} if there are none, if they are of
/// worlds of different sizes, or if a process is in two of them.
[[nodiscard]] Trace sum(std::vector<Trace> parts);

}  // namespace halocline::trace
