// SPDX-License-Identifier: BSD-3-Clause
// The machine a job runs on, as the tree that matters for communication: nodes, what is inside them, ranks.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/runs.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halocline {

/// A tree of groups. Level 0 is the outermost, the groups of the last level hold one rank each. Ranks are
/// numbered along the leaves, so that every group holds consecutive ones: the *node-sorted order*. Groups may
/// be uneven anywhere; memory and look-ups depend on the variety of sizes only.
class HALOCLINE_API Machine {
 public:
  struct Level {
    std::string name;  ///< "node", "package", "numa", "l3", "core", or any word of your own
    Runs children;     ///< For each group of the level above, how many groups of this level it holds.
    bool operator==(const Level&) const = default;
  };

  /// Throws Error{invalid_argument} if a level does not have one entry for each group above it, if names
  /// repeat, or if no level is called "node".
  explicit Machine(std::vector<Level> levels);

  /// Nodes of the given sizes and nothing known inside them. Throws Error{invalid_argument} for no nodes.
  [[nodiscard]] static Machine of_nodes(const Runs& sizes);
  /// An even tree with the given arities, outermost first: {625, 2, 12} is 625 nodes x 2 packages x 12 cores.
  [[nodiscard]] static Machine of_levels(const Counts& arities);

  /// Reads levels, outermost first, with the groups each holds: "node:4 numa:2 core:8". Uneven groups list
  /// their numbers one by one: "node:3 core:6,6,4", "node:60 core:40x48,20x24". "nodes:6,6,4" is short for
  /// nodes of these sizes. Throws Error{invalid_argument}.
  [[nodiscard]] static Machine parse(std::string_view text);
  [[nodiscard]] std::string to_text() const;

  [[nodiscard]] const std::vector<Level>& levels() const { return levels_; }
  [[nodiscard]] std::size_t node_level() const { return node_level_; }
  [[nodiscard]] Rank ranks() const { return sizes_.back().size(); }

  /// The ranks in each group of a level. `sizes(level).find(rank)` is the group that holds a rank.
  [[nodiscard]] const Runs& sizes(std::size_t level) const { return sizes_[level]; }
  [[nodiscard]] const Runs& node_sizes() const { return sizes_[node_level_]; }
  [[nodiscard]] Count nodes() const { return node_sizes().size(); }
  [[nodiscard]] Count node_of(Rank rank) const { return node_sizes().find(rank); }

  /// The arities of an even tree, what of_levels takes; none if the groups of a level differ.
  [[nodiscard]] std::optional<Counts> arities() const;

  /// The machine without all but its first `ranks` ranks, for jobs that leave some over.
  /// @pre 1 <= ranks <= this->ranks()
  [[nodiscard]] Machine first(Rank ranks) const;

  bool operator==(const Machine& other) const { return levels_ == other.levels_; }

 private:
  std::vector<Level> levels_;
  std::vector<Runs> sizes_;
  std::size_t node_level_ = 0;
};

}  // namespace halocline
