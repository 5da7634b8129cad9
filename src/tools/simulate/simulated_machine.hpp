// SPDX-License-Identifier: BSD-3-Clause
// The machines that halocline simulate knows by name, and those in files of the user.
#pragma once

#include "simulate/cluster.hpp"

#include <string>
#include <vector>

namespace halocline::tools {

struct SimulatedMachine {
  std::string name;  ///< As it was asked for.
  std::string text;  ///< What Cluster::parse reads.
  simulate::Cluster cluster;
};

/// A machine that comes with Halocline, or else that in the file of this name. Throws
/// Error{invalid_argument} that lists the names there are, or that names the file and its line.
[[nodiscard]] SimulatedMachine simulated_machine(const std::string& name_or_file);

/// Those that come with Halocline, by name.
[[nodiscard]] std::vector<SimulatedMachine> simulated_machines();

}  // namespace halocline::tools
