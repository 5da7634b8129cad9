// SPDX-License-Identifier: BSD-3-Clause
#include "place/slurm_distribution.hpp"

#include "base/numbers.hpp"

#include <vector>

namespace halocline::place {
namespace {

/// The node of each rank; nodes are numbered as they come first, or as the machine has them.
Counts nodes_of_ranks(const Placement& placement, const Machine& machine, bool by_name) {
  Counts nodes(to_size(placement.grid().size()));
  placement.ranks(0, nodes);
  Counts number(to_size(machine.nodes()), -1);
  Count next = 0;
  for (Count& node : nodes) {
    node = machine.node_of(node);
    if (by_name) continue;
    Count& its = number[to_size(node)];
    if (its < 0) its = next++;
    node = its;
  }
  return nodes;
}

}  // namespace

std::string slurm_distribution(const Placement& placement, const Machine& machine, bool by_name) {
  if (!machine.node_sizes().uniform()) return {};
  const Counts nodes = nodes_of_ranks(placement, machine, by_name);
  std::size_t plane = 1;
  while (plane < nodes.size() && nodes[plane] == nodes[0]) ++plane;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    if (nodes[rank] != to_count(rank / plane) % machine.nodes()) return {};
  if (to_count(plane) == machine.node_sizes()[0]) return "block";
  return plane == 1 ? "cyclic" : "plane=" + std::to_string(plane);
}

}  // namespace halocline::place
