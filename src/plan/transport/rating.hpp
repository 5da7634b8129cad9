// SPDX-License-Identifier: BSD-3-Clause
// How long an exchange takes, by the linear model: what every choice between ways to send is made by.
#pragma once

#include "base/index.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/plan/plan.hpp"
#include "plan/prices/pair_prices.hpp"
#include "schedule/by_node.hpp"
#include "schedule/parts/schedule.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace halocline::plan {

/// Blocks that the processes of a grid have for each other, as each of them knows it. What it refers to has
/// to outlive it.
struct Demand {
  const Grid& grid;
  const Stencil& offsets;
  Operation operation;
  std::span<const int> node_of;  ///< Of each cell, row by row; nodes are 0, 1, ...
  int nodes;
  /// Of the block that the process on a cell has for a neighbour.
  std::function<Count(Count cell, std::size_t neighbour)> bytes;
  /// For prices of levels besides the node and the network; without, those count for nothing.
  Sites sites = {};
};

/// Of one way to send.
struct Rating {
  Seconds seconds;     ///< Of the node that takes longest.
  Count node = 0;      ///< That node, the first of them.
  LevelTraffic sent;   ///< What its processes send.
  Count gathered = 0;  ///< The most bytes that a node puts together with those of other processes.
};

/// Rates ways to send. Looks at all nodes where that is quick, otherwise at a sample of them at equal
/// distances, the same wherever it is asked, of at most 64 nodes and about 8192 messages; for schedules that
/// forward blocks some processes of a node may stand for the others.
class Rater {
 public:
  static constexpr Count any_length = std::numeric_limits<Count>::max();

  /// O(processes), and what the sample takes.
  Rater(const Demand& demand, const LevelCosts& prices);

  /// One message for each neighbour, as programs do it.
  [[nodiscard]] Rating plain() const;
  /// One message to each process.
  [[nodiscard]] Rating direct() const;
  /// What goes from node to node as one message: messages up to `longest` bytes; unless that is any_length,
  /// only between nodes that gain by it (schedule::pays_by_node).
  [[nodiscard]] Rating by_node(Count longest) const;
  /// A schedule on the grid that forwards blocks between nodes; what stays on a node goes directly.
  /// @pre a neighbour's block is as large in every process
  [[nodiscard]] Rating combined(const Schedule& schedule) const;

  /// All prices that messages can have.
  [[nodiscard]] const PairPrices& prices() const { return prices_; }

 private:
  struct PricedMessage {
    Count peer, bytes;
    std::size_t price;  ///< Its number among prices().
  };
  /// Which blocks make one message.
  enum class Together : std::uint8_t { to_a_process, in_a_direction };
  /// What a process sends.
  struct Process {
    Count cell;
    std::vector<PricedMessage> messages;  ///< To others.
    Traffic own;                          ///< What it keeps.
  };
  struct Node {
    Count number;
    std::vector<Process> processes;
  };
  struct NodePair;
  struct Sent;

  [[nodiscard]] Process process(Count cell, Together together) const;
  [[nodiscard]] bool stays(Count cell, Count peer) const {
    return demand_.node_of[to_index(cell)] == demand_.node_of[to_index(peer)];
  }
  [[nodiscard]] std::vector<NodePair> links(const Node& node, Count longest) const;
  /// Of the nodes of the sample, or of every so many.
  [[nodiscard]] Rating slowest(const std::function<Rating(const Node&)>& rated, std::size_t step = 1) const;
  /// The processes that are looked at where blocks are forwarded, at most.
  [[nodiscard]] std::size_t most_forwarding() const;
  [[nodiscard]] Rating one_by_one(const Node& node) const;
  [[nodiscard]] Rating together(const Node& node, Count longest) const;
  [[nodiscard]] Rating forwarding(const Node& node, const Schedule& schedule) const;
  void add(Sent& sum, const Sent& sent) const;
  /// Every block that leaves the node crosses its border at least once, whoever forwards it.
  void raise_to_what_leaves(Sent& sent, const Node& node) const;
  [[nodiscard]] LevelTraffic by_level(const Sent& sent) const;
  /// Of a process, without the bytes that leave its node.
  [[nodiscard]] Seconds busy(const Sent& sent) const;
  /// While the longest of these messages is under way; between nodes if there are such.
  [[nodiscard]] double under_way(const Sent& sent) const;
  /// Of a node that sends all this, whose slowest process is busy so long.
  [[nodiscard]] Rating of_node(const Seconds& slowest, const Sent& sent) const;

  const Demand& demand_;
  PairPrices prices_;
  std::vector<Node> sample_;
};

}  // namespace halocline::plan
