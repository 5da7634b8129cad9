// A step cuts as many pairs of cells as the step back does, so the sum takes half the steps of a symmetric
// stencil; and counting the cells in which two rows differ is what vector units are made for.

#include "place/internode_sum.hpp"

#include "halocline/base/error.hpp"
#include "place/cost_limits.hpp"
#include "place/layers.hpp"
#include "place/steps.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace halocline::place {
namespace {

/// Both directions of a step, seen from the cell that comes first row by row.
struct Pair {
  Offset offset;
  Count weight = 0;
};

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

/// What any placement has to cut among the last layers of a grid. A set of n cells has at least as many
/// messages along a dimension as lines of that dimension meet it, and the numbers of lines multiply to n^(d -
/// 1) at least (Loomis and Whitney); what the border of those layers cuts is free.
class LeastCut {
 public:
  LeastCut(const Problem& problem, const std::vector<Pair>& pairs) : grid_(problem.grid()) {
    along_.resize(grid_.dimensions());
    for (const Pair& pair : pairs) {
      const auto moving = [](Count x) { return x != 0; };
      if (std::count_if(pair.offset.begin(), pair.offset.end(), moving) != 1) continue;
      const auto d = std::find_if(pair.offset.begin(), pair.offset.end(), moving) - pair.offset.begin();
      along_[static_cast<std::size_t>(d)].push_back({pair.offset[static_cast<std::size_t>(d)], pair.weight});
    }
    // Cells that differ in a dimension along which nothing is sent are in separate sets.
    double dimensions = 0, product = 1, largest_set = 1;
    for (std::size_t d = 0; d < along_.size(); ++d) {
      if (along_[d].empty()) continue;
      double weight = 0;
      for (const AxisPair& pair : along_[d]) weight += static_cast<double>(pair.weight);
      dimensions += 1;
      product *= weight;
      largest_set *= static_cast<double>(grid_.extents()[d]);
    }
    if (dimensions == 0) return;
    Count largest_node = 1;
    for (const Run& run : problem.machine().node_sizes().runs())
      largest_node = std::max(largest_node, run.value);
    const double cells = std::min(largest_set, static_cast<double>(largest_node));
    constexpr double rounding = 1e-9;
    by_cell_ = dimensions * std::pow(product / cells, 1 / dimensions) * (1 - rounding);
  }

  [[nodiscard]] Count of_layers(Count layers) const {
    const Count layer_cells = grid_.size() / grid_.extents()[0];
    const double cells = static_cast<double>(layers) * static_cast<double>(layer_cells);
    double cut = by_cell_ * cells;
    for (std::size_t d = 0; d < along_.size(); ++d) {
      const auto extent = static_cast<double>(d == 0 ? layers : grid_.extents()[d]);
      for (const AxisPair& pair : along_[d])
        cut -= static_cast<double>(pair.weight) * std::min(static_cast<double>(pair.step), extent) * cells /
               extent;
    }
    return cut > 0 ? static_cast<Count>(cut) : 0;
  }

 private:
  struct AxisPair {
    Count step, weight;
  };
  const Grid& grid_;
  std::vector<std::vector<AxisPair>> along_;  ///< For each dimension.
  double by_cell_ = 0;                        ///< What each cell of a node adds to the cut, at least.
};

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
