// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/given_seats.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "plan/placement/seat_table.hpp"

namespace halocline::plan {
GivenSeats given_seats(const Grid& grid, std::span<const int> node_of) {
  require(std::ssize(node_of) == grid.size(), "nodes of ", node_of.size(), " cells; the grid ",
          grid.to_text(), " has ", grid.size());
  Counts sizes;
  for (const int node : node_of) {
    require(node >= 0 && node < std::ssize(node_of), "a cell on node ", node, " of at most ", node_of.size());
    if (node >= std::ssize(sizes)) sizes.resize(to_size(node) + 1, 0);
    ++sizes[to_index(node)];
  }
  Counts next(sizes.size(), 0);
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    require(sizes[node] > 0, "node ", node, " has no cell, and node ", sizes.size() - 1, " has some");
    if (node > 0) next[node] = next[node - 1] + sizes[node - 1];
  }
  std::vector<Rank> owners;
  owners.reserve(node_of.size());
  for (const int node : node_of) owners.push_back(next[to_index(node)]++);
  return {Machine::of_nodes(Runs(sizes)), seat_table(grid, std::move(owners))};
}

}  // namespace halocline::plan
