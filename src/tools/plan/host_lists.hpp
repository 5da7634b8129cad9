// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a job as schedulers and launchers write them down.
#pragma once

#include "halocline/describe/runs.hpp"

#include <istream>
#include <string>
#include <vector>

namespace halocline::tools {

/// Nodes with names, and how many processes each takes; no name appears twice.
struct JobHosts {
  std::vector<std::string> names;
  Counts slots;
};

/// Slurm's node list and tasks: "n[001-003,7],login" and "48(x3),17,4". Throws Error{invalid_argument} that
/// names the variable and the text, also if they are not about the same number of nodes or about more than
/// 2^20.
[[nodiscard]] JobHosts slurm_hosts(const std::string& node_list, const std::string& tasks_per_node);

/// The file that PBS_NODEFILE names: a host for each process, one a line. Throws Error{invalid_argument} for
/// none, or more than one word on a line.
[[nodiscard]] JobHosts pbs_hosts(std::istream& file);

/// A host file of Open MPI ("n1 slots=4 max_slots=8") or Hydra ("n1:4"); a host by itself has one slot, one
/// that is named again adds its slots; # begins a comment. Throws Error{invalid_argument} that names the
/// line.
[[nodiscard]] JobHosts host_file(std::istream& file);

}  // namespace halocline::tools
