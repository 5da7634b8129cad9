// Machines with levels inside their nodes and above them, and prices of such levels.
#pragma once

#include "halocline/describe/machine.hpp"
#include "support/random_prices.hpp"

#include <random>
#include <utility>
#include <vector>

namespace halocline {

/// Divides a number into positive ones.
inline Counts random_parts(std::mt19937_64& random, Count whole) {
  Counts parts;
  for (Count left = whole; left > 0; left -= parts.back())
    parts.push_back(std::uniform_int_distribution<Count>(1, left)(random));
  return parts;
}

/// The same nodes, on random switches and divided into random NUMA domains.
inline Machine with_random_levels(std::mt19937_64& random, const Machine& machine) {
  const Counts switches = random_parts(random, machine.nodes());
  Counts domains, cores;
  for (Count node = 0; node < machine.nodes(); ++node) {
    const Counts sizes = random_parts(random, machine.node_sizes()[node]);
    domains.push_back(static_cast<Count>(sizes.size()));
    cores.insert(cores.end(), sizes.begin(), sizes.end());
  }
  return Machine({{"switch", Runs::of(1, static_cast<Count>(switches.size()))},
                  {"node", Runs(switches)},
                  {"numa", Runs(domains)},
                  {"core", Runs(cores)}});
}

/// Prices of some levels besides; not every machine has all of them.
inline LevelCosts with_random_level_prices(std::mt19937_64& random, LevelCosts costs) {
  const auto toss = [&] { return std::uniform_int_distribution<int>(0, 1)(random) == 0; };
  for (const char* const level : {"numa", "gpu"})
    if (toss()) costs.levels.set(level, random_prices(random).on_node);
  if (toss()) costs.levels.set("switch", random_prices(random).between_nodes);
  return costs;
}

}  // namespace halocline
