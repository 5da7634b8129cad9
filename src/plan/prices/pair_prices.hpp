// SPDX-License-Identifier: BSD-3-Clause
// Which price a message has, by where its two processes sit.
#pragma once

#include "base/index.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace halocline::plan {

/// The levels of a machine that can have prices besides those of the node and the network: all whose groups
/// can hold several processes, outermost first.
[[nodiscard]] std::vector<std::string> other_levels(const Machine& machine);

/// Where the processes on the cells of a grid sit; the machine outlives this. Without one nothing is known
/// but their nodes.
struct Sites {
  const Machine* machine = nullptr;
  std::function<Rank(Count cell)> position = {};  ///< In the node-sorted order of the machine.
};

/// The prices that messages on a machine can have: of the node, of the network, and of those other levels
/// that both have a price and exist. What it is made of has to outlive it.
class PairPrices {
 public:
  static constexpr std::size_t most = 2 + LevelPrices::most;

  /// @param node_of of each cell
  PairPrices(std::span<const int> node_of, const Sites& sites, const LevelCosts& costs);

  [[nodiscard]] std::size_t size() const { return tiers_.size(); }
  /// The number of the price of a message from one cell to another.
  [[nodiscard]] std::size_t of(Count cell, Count peer) const {
    const bool leaves = node_of_[to_index(cell)] != node_of_[to_index(peer)];
    const std::size_t usual = leaves ? 1 : 0;
    return tiers_.size() == 2 ? usual : innermost(cell, peer, usual);
  }
  [[nodiscard]] const schedule::LinearCost& operator[](std::size_t price) const { return tiers_[price].cost; }
  /// Do messages of this price go from node to node?
  [[nodiscard]] bool leaves(std::size_t price) const { return tiers_[price].leaves; }

  [[nodiscard]] const schedule::LinearCost& on_node() const { return tiers_[0].cost; }
  [[nodiscard]] const schedule::LinearCost& between_nodes() const { return tiers_[1].cost; }

 private:
  struct Tier {
    schedule::LinearCost cost;
    bool leaves;
    const Runs* groups;  ///< The ranks of each, by the machine; null for the node and the network.
  };

  /// Of the levels that are on the same side of the node as the usual one, or that one.
  [[nodiscard]] std::size_t innermost(Count cell, Count peer, std::size_t usual) const;

  std::span<const int> node_of_;
  const Sites& sites_;
  std::vector<Tier> tiers_;  ///< The node, the network, then other levels, innermost first.
};

}  // namespace halocline::plan
