// A step cuts as many pairs of cells as the step back does, so the sum takes half the steps of a symmetric
// stencil; and counting the cells in which two rows differ is what vector units are made for.

#include "place/internode_sum.hpp"

#include "halocline/base/error.hpp"
#include "place/cost_limits.hpp"
#include "place/layers.hpp"
#include "place/least_cut.hpp"
#include "place/steps.hpp"

#include <algorithm>
#include <map>

namespace halocline::place {
namespace {

std::vector<Pair> pairs_of(const Steps& steps) {
  std::map<Offset, Count> weights;
  for (const Step& step : steps.list) {
    Offset offset = step.offset;
    const auto leading = std::find_if(offset.begin(), offset.end(), [](Count x) { return x != 0; });
    if (leading != offset.end() && *leading < 0)
      for (Count& component : offset) component = -component;
    weights[offset] += step.weight;
  }
  std::vector<Pair> pairs;
  pairs.reserve(weights.size());
  for (const auto& [offset, weight] : weights) pairs.push_back({offset, weight});
  return pairs;
}

/// In how many of `cells` places two rows differ.
template <class Word>
Count differing(const Word* a, const Word* b, Count cells) {
  Word count = 0;  // as wide as the groups, so that both share their vectors
  for (Count i = 0; i < cells; ++i) count += a[i] != b[i];
  return static_cast<Count>(count);
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
  RaterOf(const Problem& problem, std::vector<Pair> pairs)
      : pairs_(std::move(pairs)),
        layers_(problem.grid(), 0, pairs_.empty() ? 0 : pairs_.back().offset[0]),
        window_(layers_, problem.machine().node_sizes()),
        least_cut_(problem, pairs_) {}

  std::optional<Count> within(const Placement& placement, Count limit) override {
    Count sum = 0;
    bool possible = true;
    for_each_batch<Word>(
        layers_, placement, 0, layers_.count - 1, {&window_, 1}, [&](Count begin, Count end) {
          for (Count layer = begin; layer < end; ++layer) sum += sum_of_layer(layer);
          possible = sum <= limit && least_cut_.of_layers(layers_.count - end) <= limit - sum;
          return possible;
        });
    if (!possible) return std::nullopt;
    return sum;
  }

 private:
  [[nodiscard]] Count sum_of_layer(Count layer) const {
    Count sum = 0;
    const Word* const self = window_.layer(layer);
    for (const Pair& pair : pairs_) {
      if (!layers_.exists(layer + pair.offset[0])) continue;
      const Word* const other = window_.layer(layer + pair.offset[0]);
      Count count = 0;
      for_each_row(layers_.grid, pair.offset, [&](Count from, Count to, Count cells) {
        count += differing(self + from, other + to, cells);
      });
      sum += count * pair.weight;
    }
    return sum;
  }

  std::vector<Pair> pairs_;  ///< By offset, so that the last reaches furthest along dimension 0.
  Layers layers_;
  LayerWindow<Word> window_;
  LeastCut least_cut_;
};

}  // namespace

InternodeSum::InternodeSum(const Problem& problem) : grid_(problem.grid()) {
  check_total(problem);
  std::vector<Pair> pairs = pairs_of(normalized_steps(problem.grid(), problem.stencil()));
  if (fits_32_bits(problem))
    rater_ = std::make_unique<RaterOf<std::uint32_t>>(problem, std::move(pairs));
  else
    rater_ = std::make_unique<RaterOf<Count>>(problem, std::move(pairs));
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
