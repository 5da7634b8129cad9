// SPDX-License-Identifier: BSD-3-Clause
#include "shape/strip_model.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace halocline::shape {
namespace {

/// Divisors of an extent farther from the optimum than this are not worth it.
constexpr Count farthest_divisor = 64;

/// One way to cut the grid: `strips[d]` strips across each dimension d but `along`.
struct Cut {
  std::size_t along;
  Counts strips;
};

class StripModel {
 public:
  StripModel(const Counts& grid, const std::vector<double>& weights, const Periodicity& periodic,
             const NodeSummary& nodes)
      : grid_(grid), weights_(weights), periodic_(periodic), nodes_(nodes) {
    for (const Count extent : grid) processes_ *= to_double(extent);
  }

  double least() {
    list_options();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t along = 0; along < grid_.size(); ++along) {
      Cut cut{along, Counts(grid_.size(), 1)};
      least = std::min(least, least_from(0, 1, cut));
    }
    return least;
  }

 private:
  /// Numbers of strips worth trying across each dimension: around the real-valued optimum, and the divisors
  /// of the extent on both sides of it, which give strips of equal width.
  void list_options() {
    const std::vector<double> ideal = ideal_node_grid();
    for (std::size_t d = 0; d < grid_.size(); ++d) {
      const Count below = std::clamp<Count>(static_cast<Count>(ideal[d]), 1, grid_[d]);
      const Count above = std::min(below + 1, grid_[d]);
      Counts options{below, above};
      for (Count even = below; even > std::max<Count>(below - farthest_divisor, 0); --even)
        if (grid_[d] % even == 0) {
          options.push_back(even);
          break;
        }
      for (Count even = above; even <= std::min(above + farthest_divisor, grid_[d]); ++even)
        if (grid_[d] % even == 0) {
          options.push_back(even);
          break;
        }
      std::sort(options.begin(), options.end());
      options.erase(std::unique(options.begin(), options.end()), options.end());
      options_.push_back(std::move(options));
    }
  }

  /// The real numbers of nodes along each dimension, each at least 1 and at most the extent, whose product is
  /// the number of nodes and whose cuts cost least: inverse to the weight, where the ends allow it.
  [[nodiscard]] std::vector<double> ideal_node_grid() const {
    std::vector<double> ideal(grid_.size());
    double low = 1e-300;
    double high = 1e300;
    for (int halving = 0; halving < 100 && high / low > 1 + 1e-6; ++halving) {
      const double height = std::sqrt(low) * std::sqrt(high);
      double product = 1;
      for (std::size_t d = 0; d < ideal.size(); ++d) {
        ideal[d] = std::clamp(height / weights_[d], 1.0, to_double(grid_[d]));
        product *= ideal[d];
      }
      (product < to_double(nodes_.nodes) ? low : high) = height;
    }
    return ideal;
  }

  double least_from(std::size_t d, Count strips, Cut& cut) {
    if (d == grid_.size()) return cost(cut, strips);
    if (d == cut.along) return least_from(d + 1, strips, cut);
    double least = std::numeric_limits<double>::infinity();
    for (const Count option : options_[d]) {
      if (option > 1 && option > nodes_.nodes / strips) break;
      cut.strips[d] = option;
      least = std::min(least, least_from(d + 1, strips * option, cut));
    }
    return least;
  }

  [[nodiscard]] double cost(const Cut& cut, Count strips) const {
    const auto nodes = to_double(nodes_.nodes);
    const auto all_strips = to_double(strips);
    double sum = 0;
    Count section = 1;  // cells of a cross-section, if all are equal
    bool even = true;
    for (std::size_t d = 0; d < grid_.size(); ++d) {
      if (d == cut.along) continue;
      sum += weights_[d] * cuts(periodic_[d], to_double(cut.strips[d]));
      even = even && grid_[d] % cut.strips[d] == 0;
      section *= grid_[d] / cut.strips[d];
    }
    const double stepped = even ? misaligned_share(section) : 1;
    // Nodes that fill whole layers end where strips end, too, if these hold a whole number of them.
    const Count strip_cells = section * grid_[cut.along];
    const bool ends_meet =
        stepped == 0 && nodes_.sizes.size() == 1 && strip_cells % nodes_.sizes.front() == 0;
    const double borders = ends_meet ? nodes - all_strips : nodes - 1;
    sum += weights_[cut.along] * borders / all_strips;
    if (periodic_[cut.along] && strips < nodes_.nodes) sum += weights_[cut.along];
    return sum + borders * stepped * step_cost(cut);
  }

  /// The share of the nodes that do not fill whole layers of a strip.
  [[nodiscard]] double misaligned_share(Count section) const {
    Count misaligned = 0;
    for (std::size_t i = 0; i < nodes_.sizes.size(); ++i)
      if (nodes_.sizes[i] % section != 0) misaligned += nodes_.nodes_of_size[i];
    return ratio_of(misaligned, nodes_.nodes);
  }

  /// The faces along the edge of a layer that is filled in part, row by row.
  [[nodiscard]] double step_cost(const Cut& cut) const {
    struct Side {
      double width;
      double face;
    };
    std::vector<Side> sides;
    double section = 1;
    for (std::size_t d = 0; d < grid_.size(); ++d) {
      if (d == cut.along) continue;
      const auto extent = to_double(grid_[d]);
      sides.push_back({extent / to_double(cut.strips[d]), weights_[d] * extent / processes_});
      section *= sides.back().width;
    }
    std::sort(sides.begin(), sides.end(),
              [](const Side& a, const Side& b) { return a.face * b.width < b.face * a.width; });
    double sum = 0;
    for (const Side& side : sides) {
      section /= side.width;
      if (side.width > 1) sum += side.face * section;
    }
    return sum;
  }

  const Counts& grid_;
  const std::vector<double>& weights_;
  const Periodicity& periodic_;
  const NodeSummary& nodes_;
  double processes_ = 1;
  std::vector<Counts> options_;
};

}  // namespace

double cuts(bool periodic, double parts) {
  if (periodic) return parts > 1 ? parts : 0;
  return parts - 1;
}

double strip_cost(const Counts& grid, const std::vector<double>& weights, const Periodicity& periodic,
                  const NodeSummary& nodes) {
  if (nodes.nodes == 1) return 0;  // there are no borders
  return StripModel(grid, weights, periodic, nodes).least();
}

}  // namespace halocline::shape
