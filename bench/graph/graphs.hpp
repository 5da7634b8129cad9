// The graphs of messages that the mapper is tried on: grids in several numberings, and some that are no
// grids.
#pragma once

#include "place/graph/message_graph.hpp"
#include "place/problem/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halocline::bench {

struct GraphInstance {
  std::string name;
  std::string nodes;
  place::MessageGraph graph;
  /// The same as a problem of the grid algorithms, where it is one.
  std::optional<place::Problem> grid = std::nullopt;
};

/// Twelve graphs of 2400 ranks, each on nodes of several shapes.
[[nodiscard]] std::vector<GraphInstance> graph_instances(std::uint64_t seed);

/// A 3-D grid of 100,000 ranks with 26 neighbours each, in random order.
[[nodiscard]] GraphInstance large_graph_instance(std::uint64_t seed);

}  // namespace halocline::bench
