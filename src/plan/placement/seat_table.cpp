// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/seat_table.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "place/problem/rule.hpp"

#include <algorithm>
#include <memory>
#include <utility>

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

Placement seat_table(const Grid& grid, std::vector<Rank> owners) {
  return {grid, std::make_shared<const SeatTable>(grid, std::move(owners))};
}

}  // namespace halocline::plan
