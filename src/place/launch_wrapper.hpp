// SPDX-License-Identifier: BSD-3-Clause
// A script that every rank is started by: it goes to its cores, and sees its GPU alone.
#pragma once

#include "halocline/describe/grid.hpp"

#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace halocline::place {

/// The ranks that have the same place on their nodes.
struct WrappedSeat {
  std::vector<Rank> ranks;
  std::string processors;  ///< As taskset reads them: "0-3,16-19".
  std::string variable;    ///< Says which GPU; nothing if it is nobody's.
  Count gpu = 0;           ///< What the variable says.
};

/// A script for sh. A process knows its rank from Open MPI, Hydra or Slurm; one that knows none, or that none
/// of the seats has, ends with status 2 and says so. taskset is util-linux's.
void write_launch_wrapper(std::span<const WrappedSeat> seats, std::ostream& out);

}  // namespace halocline::place
