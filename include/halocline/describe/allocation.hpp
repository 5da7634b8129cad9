// SPDX-License-Identifier: BSD-3-Clause
// The part of a network that a job really got: a block, or nodes scattered over the whole machine.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/network.hpp"

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace halocline {

/// Distinct nodes of a network, in the order in which the job numbers them. Memory grows with the allocation,
/// not with the network.
class HALOCLINE_API Allocation {
 public:
  /// Throws Error{invalid_argument} for no nodes at all, a node that the network has not, or one named twice.
  Allocation(Network network, Counts nodes);

  /// Every node, in the network's order. Throws Error{invalid_argument} for more than 2^32 nodes.
  [[nodiscard]] static Allocation whole(Network network);
  /// All hosts of a box of routers in a mesh or torus, row by row from `origin`; it may reach around the
  /// border where that is periodic. Throws Error{unsupported} for another kind of network, and
  /// Error{invalid_argument} for a box that does not fit or holds more than 2^32 nodes.
  [[nodiscard]] static Allocation block(Network network, std::span<const Count> origin,
                                        std::span<const Count> extents);

  /// Reads one node a line: its coordinates as Network::coordinates gives them (the host among them, where a
  /// router has several), separated by blanks or commas. '#' opens a comment; empty lines do not count.
  /// Names before the coordinates are passed over. Throws
  /// Error{invalid_argument} that names the line, or both lines of a repeated node.
  [[nodiscard]] static Allocation parse(std::string_view text, Network network);
  /// The same from a stream to its end. Throws also if the stream fails.
  [[nodiscard]] static Allocation read(std::istream& in, Network network);
  /// What parse reads.
  [[nodiscard]] std::string to_text() const;

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const Counts& nodes() const { return nodes_; }
  [[nodiscard]] Count size() const { return static_cast<Count>(nodes_.size()); }

  /// The coordinates in the network of the job's node number `position`. @pre 0 <= position < size()
  [[nodiscard]] Counts coordinates(Count position) const {
    return network_.coordinates(nodes_[static_cast<std::size_t>(position)]);
  }

  bool operator==(const Allocation&) const = default;

 private:
  Network network_;
  Counts nodes_;
};

}  // namespace halocline
