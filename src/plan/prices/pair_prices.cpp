// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prices/pair_prices.hpp"

namespace halocline::plan {

std::vector<std::string> other_levels(const Machine& machine) {
  std::vector<std::string> names;
  // Groups of the last level hold one process.
  for (std::size_t level = 0; level + 1 < machine.levels().size(); ++level)
    if (const std::string& name = machine.levels()[level].name; name != "node" && name != "network")
      names.push_back(name);
  return names;
}

PairPrices::PairPrices(std::span<const int> node_of, const Sites& sites, const LevelCosts& costs)
    : node_of_(node_of),
      sites_(sites),
      tiers_{{costs.on_node, false, nullptr}, {costs.between_nodes, true, nullptr}} {
  if (sites.machine == nullptr || costs.levels.empty()) return;
  const std::vector<Machine::Level>& levels = sites.machine->levels();
  // Groups of the last level hold one process.
  for (std::size_t level = levels.size() - 1; level-- > 0;)
    if (const schedule::LinearCost* const cost = costs.levels.find(levels[level].name))
      tiers_.push_back({*cost, level < sites.machine->node_level(), &sites.machine->sizes(level)});
}

std::size_t PairPrices::innermost(Count cell, Count peer, std::size_t usual) const {
  const Rank here = sites_.position(cell), there = sites_.position(peer);
  for (std::size_t t = 2; t < tiers_.size(); ++t)
    if (const Tier& tier = tiers_[t];
        tier.leaves == leaves(usual) && tier.groups->find(here) == tier.groups->find(there))
      return t;
  return usual;
}

}  // namespace halocline::plan
