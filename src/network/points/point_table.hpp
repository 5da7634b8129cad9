// SPDX-License-Identifier: BSD-3-Clause
// The working copy of points that are cut again and again. The points of a region stand side by side, column
// by column, so that every step reads and writes memory in order.
#pragma once

#include "network/points/ranked_points.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace halocline::network {

class PointTable {
 public:
  /// Points that stand side by side, in increasing order of their numbers.
  struct Region {
    std::size_t first;
    std::size_t last;
    std::uint64_t varied;  ///< The dimensions in which they may differ.
    int copy;              ///< Which of the two copies of the columns they are in.

    [[nodiscard]] std::size_t size() const { return last - first; }
    bool operator==(const Region&) const = default;
  };

  struct Halves {
    Region lower;
    Region upper;
  };

  /// The given dimensions of the points. `weights` are looked at as long as the table lives.
  PointTable(const std::vector<RankedColumn>& columns, std::span<const std::size_t> dimensions,
             std::span<const double> weights);

  [[nodiscard]] Region all() const;
  [[nodiscard]] std::size_t dimensions() const { return values_.size(); }

  /// Forgets the dimensions in which the points of the region do not differ.
  void narrow(Region& region);
  /// How far the points of the region just narrowed reach in a dimension.
  [[nodiscard]] double extent(const Region& region, std::size_t dimension) const;

  /// Does place a of the region come before place b in the order that split() follows?
  [[nodiscard]] bool precedes(const Region& region, std::size_t dimension, std::uint64_t reversed,
                              std::uint32_t a, std::uint32_t b) const;

  /// The first `count` points of the region in the order of `dimension` (backwards if it is reversed), and
  /// the others. Equal ones are told apart by the dimensions before it, around, then by their numbers.
  [[nodiscard]] Halves split(const Region& region, std::size_t dimension, std::uint64_t reversed,
                             std::size_t count);

  /// How many points of the region, in that order, come closest to `share` of its weight; at least `fewest`
  /// and at most `most`. @pre there are weights
  [[nodiscard]] std::size_t count_of_weight(const Region& region, std::size_t dimension,
                                            std::uint64_t reversed, double share, std::size_t fewest,
                                            std::size_t most);

  /// The numbers of the points in a region.
  [[nodiscard]] std::span<const std::uint32_t> numbers(const Region& region) const;

 private:
  struct Cut {
    std::uint32_t key;   ///< Of the last point below.
    std::size_t ties;    ///< Points with this key.
    std::size_t accept;  ///< So many of them are below.
  };
  struct Range {
    std::uint32_t low;
    std::uint32_t high;
  };

  [[nodiscard]] const std::uint32_t* column(const Region& region, std::size_t dimension) const;
  [[nodiscard]] std::size_t first_varied(const Region& region, std::size_t dimension) const;
  [[nodiscard]] Range range_of(const Region& region, std::size_t dimension) const;
  [[nodiscard]] Cut cut_after(const Region& region, std::size_t dimension, std::uint32_t flip,
                              std::size_t count);
  [[nodiscard]] Cut count_each(const std::uint32_t* keys, std::size_t size, std::uint32_t flip, Range range,
                               std::size_t count);
  [[nodiscard]] Cut narrow_down(const std::uint32_t* keys, std::size_t size, std::uint32_t flip, Range range,
                                std::size_t count);
  void aim(const Region& region, std::size_t dimension, std::uint64_t reversed, std::size_t count);
  void settle_ties(const Region& region, std::size_t dimension, std::uint64_t reversed, const Cut& cut);

  std::array<std::vector<std::vector<std::uint32_t>>, 2> columns_;  ///< Ranks; the last column is numbers.
  std::vector<const std::vector<double>*> values_;
  std::span<const double> weights_;
  Region narrowed_{0, 0, 0, 0};         ///< The region last narrowed,
  std::vector<Range> ranges_;           ///< and the keys in it, in each dimension that varies.
  std::vector<std::uint32_t> targets_;  ///< Where each point of a region goes.
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> some_;  ///< Keys, or places in a region.
};

}  // namespace halocline::network
