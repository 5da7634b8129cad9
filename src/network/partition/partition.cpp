// SPDX-License-Identifier: BSD-3-Clause
#include "network/partition/partition.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "network/partition/cut_plan.hpp"
#include "network/partition/partition_ranked.hpp"
#include "network/points/point_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace halocline::network {
namespace {

using Region = PointTable::Region;

/// Extents that differ by rounding only are equal.
constexpr double same_extent = 1 - 1e-9;

class Partitioner {
 public:
  Partitioner(PointTable table, Count parts, const Ordering& ordering, const Cuts& cuts, bool weighted)
      : table_(std::move(table)), ordering_(ordering), cuts_(cuts), plan_(cuts, parts), weighted_(weighted) {}

  std::vector<std::uint32_t> run(Count parts) {
    const Region all = table_.all();
    part_of_.resize(all.size());
    divide(all, {}, 0, parts, 0);
    return std::move(part_of_);
  }

 private:
  /// How a region is being cut into pieces along one dimension.
  struct RegionCut {
    RegionView view;
    std::size_t dimension;
    Count parts;
    Count pieces;
    Count first_part;
    std::size_t level;
  };

  void divide(Region region, const RegionView& view, Count first_part, Count parts, std::size_t level) {
    if (parts == 1) {
      for (const std::uint32_t point : table_.numbers(region))
        part_of_[point] = static_cast<std::uint32_t>(first_part);
      return;
    }
    table_.narrow(region);
    const std::size_t dimension = dimension_for(region, view, level);
    const Count pieces = plan_.pieces(parts, level);
    if (region.size() == 2 && pieces == 2) return divide_pair(region, view, dimension, first_part);
    cut(region, {view, dimension, parts, pieces, first_part, level}, 0, pieces);
  }

  /// The last cut of most regions: two points, two parts.
  void divide_pair(const Region& region, const RegionView& view, std::size_t dimension, Count first_part) {
    const auto points = table_.numbers(region);
    const std::uint32_t lower = table_.precedes(region, dimension, view.reversed, 0, 1) ? 0 : 1;
    part_of_[points[lower]] = static_cast<std::uint32_t>(first_part);
    part_of_[points[1 - lower]] = static_cast<std::uint32_t>(first_part + 1);
  }

  /// Takes the pieces first..last - 1, whose points are in the region, apart by halving.
  void cut(const Region& region, const RegionCut& all, Count first, Count last) {
    const Count before = plan_.parts_before(all.parts, all.pieces, first);
    const Count after = plan_.parts_before(all.parts, all.pieces, last);
    if (before == after) return;
    if (last - first == 1)
      return divide(region, ordering_.piece_view(all.view, all.dimension, first, table_.dimensions()),
                    all.first_part + before, after - before, all.level + 1);
    const Count middle = first + (last - first + 1) / 2;
    const Count between = plan_.parts_before(all.parts, all.pieces, middle);
    const std::size_t count = lower_count(region, all, between - before, after - before);
    const auto [lower, upper] = table_.split(region, all.dimension, all.view.reversed, count);
    cut(lower, all, first, middle);
    cut(upper, all, middle, last);
  }

  /// The points that `lower` of `parts` parts get, so that in the end no two parts differ by more than one.
  std::size_t lower_count(const Region& region, const RegionCut& all, Count lower, Count parts) {
    const auto size = count_of(region);
    if (weighted_) {
      const double share = ratio_of(lower, parts);
      return table_.count_of_weight(region, all.dimension, all.view.reversed, share, to_size(lower),
                                    to_size(size - (parts - lower)));
    }
    const Count larger = size % parts;  // parts that get one more
    return to_size(size / parts * lower + (larger * lower + parts / 2) / parts);
  }

  std::size_t dimension_for(const Region& region, const RegionView& view, std::size_t level) const {
    const std::size_t dimensions = table_.dimensions();
    if (ordering_.dimension != nullptr) return ordering_.dimension(view, dimensions);
    if (cuts_.dimension == Cuts::Dimension::cyclic) {
      std::size_t steps = level;
      const auto in_turn = [&] { return dimensions - 1 - steps % dimensions; };
      while (steps < level + dimensions && table_.extent(region, in_turn()) == 0) ++steps;
      return in_turn();
    }
    std::size_t longest = dimensions - 1;
    double most = table_.extent(region, longest);
    for (std::size_t d = longest; d-- > 0;) {
      const double extent = table_.extent(region, d);
      if (extent * same_extent <= most) continue;
      longest = d;
      most = extent;
    }
    return longest;
  }

  PointTable table_;
  const Ordering& ordering_;
  const Cuts& cuts_;
  CutPlan plan_;
  bool weighted_;
  std::vector<std::uint32_t> part_of_;
};

void check(std::size_t points, Count parts, const Ordering& ordering, const Cuts& cuts,
           std::span<const double> weights) {
  require(parts >= 1, parts, " parts cannot be made; it takes at least 1");
  require(to_size(parts) <= points, points, " points cannot make ", parts,
          " parts; there may be one part a point");
  require(weights.empty() || weights.size() == points, points, " points cannot have ", weights.size(),
          " weights; it takes one a point or none");
  for (std::size_t i = 0; i < weights.size(); ++i)
    require(std::isfinite(weights[i]) && weights[i] > 0, "the weight ", weights[i], " of point ", i,
            " is not positive and finite");
  const bool bisection = cuts.depth == 0 && std::all_of(cuts.pieces.begin(), cuts.pieces.end(),
                                                        [](Count pieces) { return pieces == 2; });
  if (ordering.dimension != nullptr && !bisection)
    fail(Fault::unsupported, "the ordering ", ordering.name,
         " cuts every region in two; leave the recursion depth and the pieces of each level to it");
}

}  // namespace

std::vector<std::uint32_t> partition_ranked(const std::vector<RankedColumn>& points,
                                            std::span<const std::size_t> dimensions, Count parts,
                                            const Ordering& ordering, const Cuts& cuts,
                                            std::span<const double> weights) {
  check(points.front().ranks.size(), parts, ordering, cuts, weights);
  Partitioner partitioner(PointTable(points, dimensions, weights), parts, ordering, cuts, !weights.empty());
  return partitioner.run(parts);
}

Counts partition(const Points& points, Count parts, const Ordering& ordering, const Cuts& cuts,
                 std::span<const double> weights) {
  std::vector<std::size_t> dimensions(points.dimensions());
  std::iota(dimensions.begin(), dimensions.end(), std::size_t{0});
  const auto result = partition_ranked(ranked(points), dimensions, parts, ordering, cuts, weights);
  return {result.begin(), result.end()};
}

}  // namespace halocline::network
