// SPDX-License-Identifier: BSD-3-Clause
// Nodecart, after Gropp, "Using Node Information to Implement MPI Cartesian Topologies", EuroMPI 2018.

#include "place/simple/nodecart.hpp"

#include "base/factorization.hpp"
#include "base/numbers.hpp"
#include "place/problem/rule.hpp"
#include "place/simple/blocked.hpp"
#include "place/simple/fill_by_rows.hpp"

#include <optional>

namespace halocline::place {
namespace {

class Boxes : public Placement::Rule {
 public:
  Boxes(const Grid& grid, Counts box) : box_(std::move(box)), boxes_(grid.extents()) {
    for (std::size_t d = 0; d < box_.size(); ++d) {
      boxes_[d] /= box_[d];
      box_cells_ *= box_[d];
    }
  }

  void locate(Rank rank, std::span<Count> cell) const override {
    Count node = rank / box_cells_, inside = rank % box_cells_;
    for (std::size_t d = box_.size(); d-- > 0;) {
      cell[d] = node % boxes_[d] * box_[d] + inside % box_[d];
      node /= boxes_[d];
      inside /= box_[d];
    }
  }

  [[nodiscard]] Rank owner(std::span<const Count> cell) const override {
    Count node = 0, inside = 0;
    for (std::size_t d = 0; d < box_.size(); ++d) {
      node = node * boxes_[d] + cell[d] / box_[d];
      inside = inside * box_[d] + cell[d] % box_[d];
    }
    return node * box_cells_ + inside;
  }

  void owners(const Grid& grid, Count first, std::span<Rank> ranks) const override {
    fill_by_rows(grid, first, ranks, {0, 0, 0}, [&](const Cell& cell) {
      return EvenRow{owner(cell), 1, box_.back() - cell.back() % box_.back()};
    });
  }

 private:
  Counts box_;
  Counts boxes_;
  Count box_cells_ = 1;
};

/// Tries every box of `rest` cells in the dimensions from `d` on; keeps the one of smallest surface, which is
/// the one of smallest sum of reciprocal sides.
void search(const Counts& extents, std::size_t d, Count rest, double reciprocals, Counts& box,
            std::optional<Counts>& best, double& best_reciprocals) {
  if (d + 1 == extents.size()) {
    if (extents[d] % rest != 0) return;
    box[d] = rest;
    reciprocals += 1.0 / to_double(rest);
    if (best && reciprocals >= best_reciprocals) return;
    best = box;
    best_reciprocals = reciprocals;
    return;
  }
  for (const Count side : divisors(rest)) {
    if (extents[d] % side != 0) continue;
    box[d] = side;
    search(extents, d + 1, rest / side, reciprocals + 1.0 / to_double(side), box, best, best_reciprocals);
  }
}

}  // namespace

Placement nodecart(const Problem& problem) {
  if (!problem.machine().node_sizes().uniform()) return blocked(problem);
  const Grid& grid = problem.grid();
  Counts box(grid.dimensions());
  std::optional<Counts> best;
  double best_reciprocals = 0;
  search(grid.extents(), 0, problem.mean_node_size(), 0, box, best, best_reciprocals);
  if (!best) return blocked(problem);
  return {grid, std::make_shared<Boxes>(grid, *best)};
}

}  // namespace halocline::place
