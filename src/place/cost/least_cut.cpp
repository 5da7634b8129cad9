// SPDX-License-Identifier: BSD-3-Clause
#include "place/cost/least_cut.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace halocline::place {
namespace {

/// All steps along the same lines.
struct Direction {
  Offset primitive;
  std::vector<StepPair> pairs;
  double weight = 0;

  [[nodiscard]] auto moving() const {
    return std::count_if(primitive.begin(), primitive.end(), [](Count x) { return x != 0; });
  }
};

/// Those along the axes first.
std::vector<Direction> directions_of(const std::vector<StepPair>& pairs) {
  std::vector<Direction> directions;
  for (const StepPair& pair : pairs) {
    Offset primitive = pair.offset;
    Count divisor = 0;
    for (const Count x : primitive) divisor = std::gcd(divisor, x);
    for (Count& x : primitive) x /= divisor;
    auto known = std::find_if(directions.begin(), directions.end(),
                              [&](const Direction& direction) { return direction.primitive == primitive; });
    if (known == directions.end()) known = directions.insert(known, Direction{std::move(primitive), {}, 0});
    known->pairs.push_back(pair);
    known->weight += to_double(pair.weight);
  }
  std::stable_sort(directions.begin(), directions.end(),
                   [](const Direction& a, const Direction& b) { return a.moving() < b.moving(); });
  return directions;
}

/// Directions that are independent, kept in echelon form.
class Independent {
 public:
  /// Adds one if it is independent of those so far beyond all rounding.
  bool add(const Offset& direction) {
    constexpr double rounding = 1e-6;
    std::vector<double> rest(direction.begin(), direction.end());
    double least = 0;
    for (const double x : rest) least = std::max(least, rounding * std::abs(x));
    for (const auto& [leading, row] : rows_) {
      const double factor = rest[leading] / row[leading];
      for (std::size_t d = 0; d < rest.size(); ++d) rest[d] -= factor * row[d];
      rest[leading] = 0;
    }
    const auto largest = std::max_element(rest.begin(), rest.end(),
                                          [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (std::abs(*largest) <= least) return false;
    const auto leading = to_index(largest - rest.begin());
    rows_.emplace_back(leading, std::move(rest));
    return true;
  }

 private:
  std::vector<std::pair<std::size_t, std::vector<double>>> rows_;
};

}  // namespace

LeastCut::LeastCut(const Problem& problem, const std::vector<StepPair>& pairs) : grid_(problem.grid()) {
  Count largest_node = 1;
  for (const Run& run : problem.machine().node_sizes().runs())
    largest_node = std::max(largest_node, run.value);
  for (std::vector<Direction> left = directions_of(pairs), later; !left.empty(); left.swap(later)) {
    Frame frame;
    Independent independent;
    double directions = 0, product = 1, largest_set = 1;
    later.clear();
    for (Direction& direction : left) {
      if (!independent.add(direction.primitive)) {
        later.push_back(std::move(direction));
        continue;
      }
      directions += 1;
      product *= direction.weight;
      for (std::size_t d = 0; d < direction.primitive.size(); ++d)
        if (direction.primitive[d] != 0) largest_set *= to_double(grid_.extents()[d]);
      frame.pairs.insert(frame.pairs.end(), direction.pairs.begin(), direction.pairs.end());
    }
    // Cells that no sum of the directions connects are in separate sets.
    const double cells = std::min(largest_set, to_double(largest_node));
    constexpr double rounding = 1e-9;
    frame.by_cell = directions * std::pow(product / cells, 1 / directions) * (1 - rounding);
    frames_.push_back(std::move(frame));
  }
}

Count LeastCut::of_layers(Count layers) const {
  const Count layer_cells = grid_.size() / grid_.extents()[0];
  const double cells = to_double(layers) * to_double(layer_cells);
  if (layers == 0) return 0;
  double total = 0;
  for (const Frame& frame : frames_) {
    double cut = frame.by_cell * cells;
    for (const StepPair& pair : frame.pairs) {
      double inside = 1;  // the share of the cells from which the step stays among these layers
      for (std::size_t d = 0; d < pair.offset.size(); ++d) {
        const auto extent = to_double(d == 0 ? layers : grid_.extents()[d]);
        inside *= std::max(0.0, 1 - to_double(std::abs(pair.offset[d])) / extent);
      }
      cut -= to_double(pair.weight) * cells * (1 - inside);
    }
    total += std::max(0.0, cut);
  }
  return static_cast<Count>(total);
}

}  // namespace halocline::place
