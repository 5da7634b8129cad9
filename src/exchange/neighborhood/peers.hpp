// SPDX-License-Identifier: BSD-3-Clause
// Which blocks of a neighbourhood go from which process to which, and between which nodes.
#pragma once

#include "base/index.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"

#include <functional>
#include <span>
#include <vector>

namespace halocline::exchange {

/// Where the processes of a grid run: rank r of the grid (row by row) on node node_of[r].
struct NodeMap {
  std::vector<int> node_of;

  [[nodiscard]] int operator[](Rank rank) const { return node_of[to_index(rank)]; }
};

/// The ranks that a process talks to along each offset; -1 beyond an open border.
struct Neighbours {
  std::vector<Rank> targets;  ///< At +offset: they get its block.
  std::vector<Rank> sources;  ///< At -offset: their block comes from there.
};
[[nodiscard]] Neighbours neighbours_of(const Grid& grid, const Stencil& offsets, Rank rank);

/// The blocks two processes exchange, by their number in the neighbourhood, increasing. Along offsets, what
/// one sends is what the other receives: offset i leads from a to b if and only if -i leads from b to a.
struct Peer {
  Rank rank;
  std::vector<int> out, in;
  bool operator==(const Peer&) const = default;
};

/// Does a process send to one peer before another? In an order of its own for each process, so that not all
/// send to the same one first; both of a pair have each other at about the same place.
[[nodiscard]] inline bool served_before(Rank peer, Rank other, Rank rank) {
  return (peer ^ rank) < (other ^ rank);
}

/// What one process sends and receives, by peers and not by neighbours.
struct Peers {
  std::vector<int> own;       ///< Blocks that it sends to itself.
  std::vector<int> own_in;    ///< Those that it gets from itself: the same, along offsets.
  std::vector<Peer> on_node;  ///< Increasing by rank, here and below.
  std::vector<Peer> off_node;
};
[[nodiscard]] Peers peers_of(const Neighbours& neighbours, Rank rank, const NodeMap& nodes);
/// The same for any neighbourhood, whose targets and sources may be different in number.
[[nodiscard]] Peers peers_of(const Neighbours& neighbours, Rank rank,
                             const std::function<bool(Rank)>& is_on_node);

/// A block on its way from one node to another.
struct ShippedBlock {
  Rank reader, writer;
  int block;
  auto operator<=>(const ShippedBlock&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 is confused
};

/// What goes from one node to another, ordered by reader, writer and block; both nodes know it alike.
struct Shipment {
  int from, to;  ///< Nodes.
  std::vector<ShippedBlock> blocks;
  int part = 0;  ///< Of several shipments between the two.

  [[nodiscard]] std::vector<Rank> writers() const;  ///< Increasing, each once, here and below.
  [[nodiscard]] std::vector<Rank> readers() const;
  /// The processes that send and receive it for all others; spread over those that take part.
  [[nodiscard]] Rank sending_gateway() const;
  [[nodiscard]] Rank receiving_gateway() const;
};

/// The shipment in at most `parts` parts of about as many readers each, or as many writers.
[[nodiscard]] std::vector<Shipment> split(const Shipment& shipment, std::size_t parts,
                                          Rank ShippedBlock::*by);

/// The shipments of one node, increasing by the other one.
struct Shipments {
  std::vector<Shipment> out, in;
};
/// O(processes of the node x offsets). @pre `members` are the ranks of node `node`
[[nodiscard]] Shipments shipments_of(const Grid& grid, const Stencil& offsets, const NodeMap& nodes,
                                     std::span<const Rank> members, int node);

}  // namespace halocline::exchange
