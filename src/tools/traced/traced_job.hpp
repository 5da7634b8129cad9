// SPDX-License-Identifier: BSD-3-Clause
// The nodes for the ranks of a trace: those that are described, those of this job, or those of the trace.
#pragma once

#include "halocline/describe/machine.hpp"
#include "trace/trace.hpp"

#include <optional>
#include <string>
#include <vector>

namespace halocline::tools {

struct TracedJob {
  Machine machine;
  std::vector<std::string> hosts;  ///< A name for each node; none if nobody said.
  std::string source;              ///< options, slurm, pbs or trace.
  std::string told_by;             ///< The same in words.
};

/// That of a file. Throws Error{invalid_argument} if it has no part of some rank.
[[nodiscard]] trace::Trace whole_trace(const std::string& path);

/// The first there is of: what the options describe; Slurm's or PBS's variables; the nodes of the trace, in
/// the order of their first ranks. Throws Error{invalid_argument} that names both numbers if these nodes take
/// other than as many processes as the trace has ranks.
[[nodiscard]] TracedJob traced_job(const trace::Trace& trace, std::optional<TracedJob> described);

/// For each rank its node in the traced job, numbered in the order of their first ranks.
/// @pre the trace has a part of each rank
[[nodiscard]] std::vector<Count> nodes_in_trace(const trace::Trace& trace);

}  // namespace halocline::tools
