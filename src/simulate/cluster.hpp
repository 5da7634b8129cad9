// SPDX-License-Identifier: BSD-3-Clause
// A machine as the simulator sees it: a network of nodes, how fast its links are, and what a message costs at
// either end. Read from a short text; those in machines/ come with Halocline.
#pragma once

#include "halocline/describe/machine.hpp"
#include "halocline/describe/network.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace halocline::simulate {

struct Cluster {
  std::string title;
  std::vector<std::string> sources;  ///< Where the figures come from.
  Network network;                   ///< Its bandwidths are GB/s, each way.
  Count cores;                       ///< Of a node: processes it has room for.
  double link_latency_seconds;
  double node_bandwidth;  ///< Bytes a second between two processes of a node, or that one of them copies.
  double node_latency_seconds;
  double send_overhead_seconds;  ///< The processor's share in a message.
  double receive_overhead_seconds;

  /// Reads one "word: value" a line; "#" begins a comment.
  ///   title: VSC-4, a fat tree          source: ... (any number of them)
  ///   network: fat-tree:33x24 parents:12x1 bandwidth:12.5,12.5
  ///   cores: 48                         link-latency: 300 ns
  ///   node-bandwidth: 8 GB/s            node-latency: 200 ns
  ///   send-overhead: 250 ns             receive-overhead: 250 ns
  /// Only title and source may be left out. Throws Error{invalid_argument} that names the line; also for a
  /// network that the simulator cannot have: a mesh with open dimensions, or a fat tree with tiers of
  /// different speeds.
  [[nodiscard]] static Cluster parse(std::string_view text);

  /// Throws Error{invalid_argument} for more nodes than it has, and more processes on a node than cores.
  void require_room(const Machine& machine) const;

  /// What the linear model knows of it: what a message costs its processes, the way out of a node, and how
  /// long it is from the first node to the farthest of so many. On a node processes send each other messages,
  /// or write and read memory that they share.
  [[nodiscard]] LevelCosts prices(bool shared, Count nodes) const;
};

}  // namespace halocline::simulate
