// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/discovery/group_tree.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::mpi {

GroupTree group_by_path(std::span<const Path> paths, std::size_t depth) {
  GroupTree tree{std::vector<std::size_t>(paths.size()), std::vector<Counts>(depth + 1)};
  std::iota(tree.order.begin(), tree.order.end(), std::size_t{0});
  std::stable_sort(tree.order.begin(), tree.order.end(),
                   [&](std::size_t a, std::size_t b) { return paths[a] < paths[b]; });

  for (std::size_t i = 0; i < paths.size(); ++i) {
    // The first level at which this process leaves the groups of the one before it; new groups from there on.
    std::size_t leaves = 0;
    if (i > 0) {
      const Path& before = paths[tree.order[i - 1]];
      const Path& path = paths[tree.order[i]];
      const auto common = std::mismatch(path.begin(), path.end(), before.begin()).first - path.begin();
      leaves = std::min(to_size(common), depth);
    }
    for (std::size_t level = leaves; level <= depth; ++level) {
      const bool first_in_its_group = level > leaves || i == 0;
      if (first_in_its_group)
        tree.children[level].push_back(1);
      else
        ++tree.children[level].back();
    }
  }
  return tree;
}

std::vector<Machine::Level> without_trivial_levels(std::vector<Machine::Level> levels) {
  const auto trivial = [&](const Machine::Level& level) {
    return level.name != "node" && &level != &levels.back() && level.children.uniform() &&
           level.children[0] == 1;
  };
  std::vector<Machine::Level> kept;
  for (const Machine::Level& level : levels)
    if (!trivial(level)) kept.push_back(level);
  return kept;
}

}  // namespace halocline::mpi
