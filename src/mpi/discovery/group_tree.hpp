// SPDX-License-Identifier: BSD-3-Clause
// From "where is each process" to "how many groups does each group hold": the tree behind a Machine.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/describe/machine.hpp"

#include <span>
#include <string>
#include <vector>

namespace halocline::mpi {

/// The group a process is in at each level, outermost first. Numbers need be unique within the group above
/// only.
using Path = Counts;

struct GroupTree {
  std::vector<std::size_t> order;  ///< order[i] is the index of the i-th process when each group is a run
  std::vector<Counts>
      children;  ///< for each level and then for the processes: how many each group above holds
};

/// The tree of the first `depth` components of the paths. Further ones, then the index, order its leaves.
/// @pre all paths are equally long and have at least `depth` components
[[nodiscard]] GroupTree group_by_path(std::span<const Path> paths, std::size_t depth);

/// `levels` without those at which no group is ever divided, the node level and the last one excepted.
[[nodiscard]] std::vector<Machine::Level> without_trivial_levels(std::vector<Machine::Level> levels);

}  // namespace halocline::mpi
