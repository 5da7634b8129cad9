// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/given_seats.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "place/problem/rule.hpp"

#include <algorithm>

namespace halocline::plan {
namespace {

/// Both directions as tables.
class SeatTable : public Placement::Rule {
 public:
  SeatTable(Grid grid, std::vector<Rank> owners)
      : grid_(std::move(grid)), owners_(std::move(owners)), cells_(owners_.size()) {
    for (std::size_t cell = 0; cell < owners_.size(); ++cell)
      cells_[to_index(owners_[cell])] = to_count(cell);
  }

  void locate(Rank rank, std::span<Count> cell) const override {
    const Cell found = grid_.cell(cells_[to_index(rank)]);
    std::copy(found.begin(), found.end(), cell.begin());
  }
  [[nodiscard]] Rank owner(std::span<const Count> cell) const override {
    return owners_[to_index(grid_.index(cell))];
  }

 private:
  Grid grid_;
  std::vector<Rank> owners_;
  Counts cells_;
};

}  // namespace

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
  return {Machine::of_nodes(Runs(sizes)),
          Placement(grid, std::make_shared<const SeatTable>(grid, std::move(owners)))};
}

}  // namespace halocline::plan
