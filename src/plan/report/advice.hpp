// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/plan/explanation.hpp"

#include <string>
#include <vector>

namespace halocline::plan {

/// How a program gets to run like this.
struct Advice {
  std::string purpose;             ///< "In C++".
  std::vector<std::string> lines;  ///< To be copied.
};

/// How launchers start a program on a machine, without its name. FILE stands for a list of hosts, where nodes
/// differ in size.
struct Launchers {
  std::string open_mpi, hydra, slurm;
  std::string batch;  ///< A job of Slurm, with the program.
};
[[nodiscard]] Launchers launchers(const Machine& machine);

[[nodiscard]] std::vector<Advice> how_to_get_it(const Explanation& both);

}  // namespace halocline::plan
