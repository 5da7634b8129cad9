// SPDX-License-Identifier: BSD-3-Clause
// The machine of a job: described, told by a scheduler, or discovered.
#pragma once

#include "halocline/schedule/level_costs.hpp"
#include "tools/common/shared_options.hpp"
#include "tools/plan/host_lists.hpp"

#include <optional>
#include <string>
#include <vector>

namespace halocline::tools {

struct JobMachine {
  Machine machine;
  std::vector<std::string> hosts;  ///< A name for each node; none if nobody said.
  std::string source;              ///< options, hostfile, job, environment, slurm, pbs or host.
  std::string told_by;             ///< The same in words.
  /// What messages cost the processes of this job, by what the library knows; none if there are none.
  std::optional<LevelCosts> prices = {};
};

/// What a scheduler gave this job, as its variables tell.
struct ScheduledNodes {
  const char* scheduler;  ///< slurm or pbs.
  const char* called;     ///< The same for people.
  JobHosts hosts;
};

/// None outside of a job. Throws Error{invalid_argument} that names the variable that cannot be read.
[[nodiscard]] std::optional<ScheduledNodes> scheduled_nodes();

/// --nodes, --levels, --hostfile, --ranks and --hosts.
class JobMachineWords {
 public:
  void declare(Options& options);

  /// The first there is of: the options; the processes of this job if MPI started them; HALOCLINE_MACHINE;
  /// Slurm's variables; PBS_NODEFILE; this host, one rank a core. Collective if MPI started this program.
  /// Throws Error{invalid_argument} that names what cannot be read.
  [[nodiscard]] JobMachine job_machine() const;
  /// Do the options say which nodes there are? Nobody else is asked then.
  [[nodiscard]] bool describe_nodes() const { return machine_.given() || !host_file_.empty(); }

 private:
  [[nodiscard]] JobMachine found() const;

  MachineWords machine_;
  std::string host_file_;
  Count ranks_ = 0;
  std::string hosts_;
};

}  // namespace halocline::tools
