// SPDX-License-Identifier: BSD-3-Clause
// What a mapping costs on a network: the metrics of "Exploiting Geometric Partitioning in Task Mapping for
// Parallel Computers", section 3.
#pragma once

#include "network/routing/routing.hpp"
#include "network/routing/task_messages.hpp"

#include <span>
#include <vector>

namespace halocline {

/// Equations 1 to 7 of the paper.
struct Metrics {
  Count messages = 0;        ///< |E|: all of them, on one node or not.
  Count hops = 0;            ///< Equation 1: links travelled by all messages together.
  double average_hops = 0;   ///< Equation 2: for each message; 0 without any.
  double weighted_hops = 0;  ///< Equation 3: each message times its weight.
  double max_data = 0;       ///< Equation 5: the largest weight on a link.
  double max_latency = 0;    ///< Equation 7: the largest weight / bandwidth on a link.
  bool operator==(const Metrics&) const = default;
};

}  // namespace halocline

namespace halocline::network {

/// All metrics of tasks on the given nodes. O(messages x dimensions) for a mesh or torus, O(messages x path)
/// for other networks, and memory for each link of the network.
///
/// Throws Error{invalid_argument} unless there is one node for each task and all are in the network, and
/// Error{unsupported} for a network of more than 2^31 links.
[[nodiscard]] Metrics measure(const TaskMessages& messages, const Network& network,
                              std::span<const Count> node_of_task);

/// Only hops, average_hops and weighted_hops; the others stay 0. Faster, and for networks of any size.
[[nodiscard]] Metrics measure_hops(const TaskMessages& messages, const Network& network,
                                   std::span<const Count> node_of_task);

/// Equation 4: the weight on each link, as Routing numbers them; exact as long as sums of weights are. Throws
/// as measure().
[[nodiscard]] std::vector<double> data_per_link(const TaskMessages& messages, const Network& network,
                                                std::span<const Count> node_of_task);

}  // namespace halocline::network
