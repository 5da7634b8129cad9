// SPDX-License-Identifier: BSD-3-Clause
#include "place/optimal_strips/fewer_dimensions.hpp"

#include "place/problem/rule.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace halocline::place {
namespace {

class OnFewerDimensions : public Placement::Rule {
 public:
  OnFewerDimensions(Placement placement, std::vector<std::size_t> kept)
      : placement_(std::move(placement)), kept_(std::move(kept)) {}

  void locate(Rank rank, std::span<Count> cell) const override {
    const Cell found = placement_.cell(rank);
    std::fill(cell.begin(), cell.end(), 0);
    for (std::size_t i = 0; i < kept_.size(); ++i) cell[kept_[i]] = found[i];
  }
  [[nodiscard]] Rank owner(std::span<const Count> cell) const override {
    Cell inside;
    for (const std::size_t d : kept_) inside.push_back(cell[d]);
    return placement_.rank(inside);
  }
  void owners(const Grid& /*grid*/, Count first, std::span<Rank> ranks) const override {
    placement_.ranks(first, ranks);
  }

 private:
  Placement placement_;
  std::vector<std::size_t> kept_;
};

}  // namespace

std::optional<FewerDimensions> FewerDimensions::of(const Problem& whole) {
  const Grid& grid = whole.grid();
  std::vector<std::size_t> kept;
  bool one = false;
  for (std::size_t d = 0; d < grid.dimensions(); ++d)
    if (grid.extents()[d] > 1 || !std::exchange(one, true)) kept.push_back(d);
  if (kept.size() == grid.dimensions()) return std::nullopt;
  Counts extents;
  Periodicity periodicity;
  for (const std::size_t d : kept) {
    extents.push_back(grid.extents()[d]);
    periodicity.push_back(grid.periodic(d));
  }
  std::vector<Offset> offsets;
  Counts weights;
  for (std::size_t i = 0; i < whole.stencil().size(); ++i) {
    const Offset& offset = whole.stencil().offsets()[i];
    bool leads_out = false;
    for (std::size_t d = 0; d < offset.size(); ++d)
      leads_out = leads_out || (grid.extents()[d] == 1 && !grid.periodic(d) && offset[d] != 0);
    if (leads_out) continue;
    Offset& inside = offsets.emplace_back();
    for (const std::size_t d : kept) inside.push_back(offset[d]);
    weights.push_back(whole.stencil().weights()[i]);
  }
  if (offsets.empty()) return std::nullopt;
  return FewerDimensions{Problem(Grid(std::move(extents), std::move(periodicity)),
                                 Stencil(std::move(offsets), std::move(weights)), whole.machine()),
                         std::move(kept)};
}

Placement FewerDimensions::back(const Grid& whole, const Placement& placement) const {
  return {whole, std::make_shared<OnFewerDimensions>(placement, kept)};
}

}  // namespace halocline::place
