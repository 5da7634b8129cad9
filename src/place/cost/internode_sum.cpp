// SPDX-License-Identifier: BSD-3-Clause
// A step cuts as many pairs of cells as the step back does, so the sum takes half the steps of a symmetric
// stencil; and counting the cells in which two rows differ is what vector units are made for.

#include "place/cost/internode_sum.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "place/cost/cost_limits.hpp"
#include "place/cost/layers.hpp"
#include "place/cost/least_cut.hpp"
#include "place/cost/steps_on_grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace halocline::place {
namespace {

std::vector<StepPair> pairs_of(const Steps& steps) {
  std::map<Offset, Count> weights;
  for (const GridStep& step : steps.list) {
    Offset offset = step.offset;
    const auto leading = std::find_if(offset.begin(), offset.end(), [](Count x) { return x != 0; });
    if (leading != offset.end() && *leading < 0)
      for (Count& component : offset) component = -component;
    weights[offset] += step.weight;
  }
  std::vector<StepPair> pairs;
  pairs.reserve(weights.size());
  for (const auto& [offset, weight] : weights) pairs.push_back({offset, weight});
  return pairs;
}

/// In how many of `cells` places two rows differ.
template <class Word>
Count differing(const Word* a, const Word* b, Count cells) {
  Word count = 0;  // as wide as the groups, so that both share their vectors
  for (Count i = 0; i < cells; ++i) count = static_cast<Word>(count + (a[i] != b[i]));
  return to_count(count);
}

/// The same for several rows that follow each other, the second ones moved by `shift` cells: what then lies
/// beyond the end of a row comes in again at its other end if it is a `ring`, else it does not count. One
/// long comparison costs less than many short ones.
template <class Word>
Count differing_rows(const Word* a, const Word* b, Count rows, Count row_cells, Count shift, bool ring) {
  const Count before = std::max(Count{0}, -shift), behind = std::max(Count{0}, shift);
  Count count = differing(a + before, b + before + shift, rows * row_cells - before - behind);
  if (shift == 0) return count;
  for (Count row = 1; row < rows; ++row) {
    const Count end = row * row_cells;  // around it the comparison ran from one row into another
    count -= differing(a + end - behind, b + end - behind + shift, before + behind);
  }
  const Count from = shift > 0 ? row_cells - behind : 0, to = shift > 0 ? 0 : row_cells - before;
  for (Count row = 0; ring && row < rows; ++row)
    count += differing(a + row * row_cells + from, b + row * row_cells + to, before + behind);
  return count;
}

/// The grid of all rows.
Grid without_last_dimension(const Grid& grid) {
  if (grid.dimensions() == 1) return grid;
  return Grid(Counts(grid.extents().begin(), grid.extents().end() - 1),
              Periodicity(grid.periodicity().begin(), grid.periodicity().end() - 1));
}

}  // namespace

class InternodeSum::Rater {
 public:
  Rater() = default;
  Rater(const Rater&) = delete;
  Rater& operator=(const Rater&) = delete;
  virtual ~Rater() = default;
  virtual std::optional<Count> within(const Placement& placement, Count limit) = 0;
};

namespace {

template <class Word>
class RaterOf : public InternodeSum::Rater {
 public:
  RaterOf(const Problem& problem, std::vector<StepPair> pairs)
      : pairs_(std::move(pairs)),
        rows_(without_last_dimension(problem.grid())),
        layers_(problem.grid(), 0, pairs_.empty() ? 0 : pairs_.back().offset[0]),
        window_(layers_, problem.machine().node_sizes()),
        least_cut_(problem, pairs_) {}

  std::optional<Count> within(const Placement& placement, Count limit) override {
    Count sum = 0;
    bool possible = true;
    for_each_batch<Word>(layers_, placement, 0, layers_.count - 1, layers_.first_batch, {&window_, 1},
                         [&](Count begin, Count end) {
                           for (const StepPair& pair : pairs_)
                             sum += pair.weight * cuts(pair.offset, begin, end);
                           possible =
                               sum <= limit && least_cut_.of_layers(layers_.count - end) <= limit - sum;
                           return possible;
                         });
    if (!possible) return std::nullopt;
    return sum;
  }

 private:
  /// Of one step, from the layers [begin, end).
  [[nodiscard]] Count cuts(const Offset& offset, Count begin, Count end) const {
    const Grid& grid = layers_.grid;
    if (!grid.periodic(0)) end = std::min(end, layers_.count - offset[0]);
    if (begin >= end) return 0;
    const std::size_t last = grid.dimensions() - 1;
    const Count row_cells = grid.extents()[last], shift = offset[last];
    constexpr Count worth_skipping = 4;  // a long shift has much to be taken back
    const bool in_blocks = last > 0 && std::abs(shift) * worth_skipping <= row_cells;
    const bool ring = grid.periodic(last);
    if (in_blocks && last == 1)  // layers are rows
      return differing_rows(window_.layer(begin), window_.layer(begin + offset[0]), end - begin, row_cells,
                            shift, ring);
    Count count = 0;
    for (Count layer = begin; layer < end; ++layer) {
      const Word *const self = window_.layer(layer), *const other = window_.layer(layer + offset[0]);
      if (in_blocks)
        for_each_row(rows_, offset, [&](Count from, Count to, Count rows) {
          count +=
              differing_rows(self + from * row_cells, other + to * row_cells, rows, row_cells, shift, ring);
        });
      else
        for_each_row(grid, offset, [&](Count from, Count to, Count cells) {
          count += differing(self + from, other + to, cells);
        });
    }
    return count;
  }

  std::vector<StepPair> pairs_;  ///< By offset, so that the last reaches furthest along dimension 0.
  Grid rows_;
  Layers layers_;
  LayerWindow<Word> window_;
  LeastCut least_cut_;
};

}  // namespace

InternodeSum::InternodeSum(const Problem& problem) : grid_(problem.grid()) {
  check_total(problem);
  std::vector<StepPair> pairs = pairs_of(normalized_steps(problem.grid(), problem.stencil()));
  rater_ = with_narrowest_word(problem, [&]<class Word>(Word) -> std::unique_ptr<Rater> {
    return std::make_unique<RaterOf<Word>>(problem, std::move(pairs));
  });
}
InternodeSum::~InternodeSum() = default;
InternodeSum::InternodeSum(InternodeSum&&) noexcept = default;

std::optional<Count> InternodeSum::within(const Placement& placement, Count limit) {
  if (placement.grid() != grid_) [[unlikely]]
    fail(Fault::invalid_argument, "a placement on ", placement.grid().to_text(),
         " cannot be judged by a problem on ", grid_.to_text());
  return rater_->within(placement, limit);
}

}  // namespace halocline::place
