// SPDX-License-Identifier: BSD-3-Clause
#include "place/simple/blocked.hpp"

#include "place/problem/rule.hpp"

#include <numeric>

namespace halocline::place {
namespace {

class RowByRow : public Placement::Rule {
 public:
  explicit RowByRow(Counts extents) : extents_(std::move(extents)) {}

  void locate(Rank rank, std::span<Count> cell) const override {
    for (std::size_t d = extents_.size(); d-- > 0; rank /= extents_[d]) cell[d] = rank % extents_[d];
  }

  [[nodiscard]] Rank owner(std::span<const Count> cell) const override {
    Rank rank = 0;
    for (std::size_t d = 0; d < extents_.size(); ++d) rank = rank * extents_[d] + cell[d];
    return rank;
  }

  void owners(const Grid&, Count first, std::span<Rank> ranks) const override {
    std::iota(ranks.begin(), ranks.end(), first);
  }

 private:
  Counts extents_;
};

}  // namespace

Placement blocked(const Problem& problem) {
  return {problem.grid(), std::make_shared<RowByRow>(problem.grid().extents())};
}

}  // namespace halocline::place
