// SPDX-License-Identifier: BSD-3-Clause
#include "network/points/point_table.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace halocline::network {
namespace {

/// What turns the order of keys around.
std::uint32_t flip_of(std::uint64_t reversed, std::size_t dimension) {
  return (reversed >> dimension & 1) != 0 ? ~std::uint32_t{0} : 0;
}

bool has(std::uint64_t mask, std::size_t dimension) { return (mask >> dimension & 1) != 0; }

}  // namespace

PointTable::PointTable(const std::vector<RankedColumn>& columns, std::span<const std::size_t> dimensions,
                       std::span<const double> weights)
    : weights_(weights), ranges_(dimensions.size()) {
  const std::size_t size = columns.front().ranks.size();
  for (const std::size_t d : dimensions) {
    columns_[0].push_back(columns[d].ranks);
    values_.push_back(&columns[d].values);
  }
  columns_[0].emplace_back(size);
  std::iota(columns_[0].back().begin(), columns_[0].back().end(), std::uint32_t{0});
  columns_[1].assign(dimensions.size() + 1, std::vector<std::uint32_t>(size));
  targets_.resize(size);
}

PointTable::Region PointTable::all() const {
  return {0, targets_.size(), ~std::uint64_t{0} >> (64 - dimensions()), 0};
}

const std::uint32_t* PointTable::column(const Region& region, std::size_t dimension) const {
  return columns_[to_index(region.copy)][dimension].data() + region.first;
}

std::span<const std::uint32_t> PointTable::numbers(const Region& region) const {
  return {column(region, dimensions()), region.size()};
}

PointTable::Range PointTable::range_of(const Region& region, std::size_t dimension) const {
  const std::uint32_t* const keys = column(region, dimension);
  Range range{keys[0], keys[0]};
  for (std::size_t i = 1; i < region.size(); ++i) {
    range.low = std::min(range.low, keys[i]);
    range.high = std::max(range.high, keys[i]);
  }
  return range;
}

void PointTable::narrow(Region& region) {
  for (std::size_t d = 0; d < dimensions(); ++d) {
    if (!has(region.varied, d)) continue;
    ranges_[d] = range_of(region, d);
    if (ranges_[d].low == ranges_[d].high) region.varied ^= std::uint64_t{1} << d;
  }
  narrowed_ = region;
}

double PointTable::extent(const Region& region, std::size_t dimension) const {
  if (!has(region.varied, dimension)) return 0;
  const auto& values = *values_[dimension];
  return values[ranges_[dimension].high] - values[ranges_[dimension].low];
}

/// The dimension that decides the order by `dimension`; dimensions() if none does.
std::size_t PointTable::first_varied(const Region& region, std::size_t dimension) const {
  for (std::size_t steps = 0; steps < dimensions(); ++steps) {
    const std::size_t d = (dimension + dimensions() - steps) % dimensions();
    if (has(region.varied, d)) return d;
  }
  return dimensions();
}

bool PointTable::precedes(const Region& region, std::size_t dimension, std::uint64_t reversed,
                          std::uint32_t a, std::uint32_t b) const {
  for (std::size_t steps = 0; steps < dimensions(); ++steps) {
    const std::size_t d = (dimension + dimensions() - steps) % dimensions();
    if (!has(region.varied, d)) continue;
    const std::uint32_t* const keys = column(region, d);
    if (keys[a] != keys[b]) return (keys[a] < keys[b]) != has(reversed, d);
  }
  return a < b;  // Places follow numbers.
}

/// Counts every key there can be.
PointTable::Cut PointTable::count_each(const std::uint32_t* keys, std::size_t size, std::uint32_t flip,
                                       Range range, std::size_t count) {
  counts_.assign(range.high - range.low + 1, 0);
  for (std::size_t i = 0; i < size; ++i) ++counts_[(keys[i] ^ flip) - range.low];
  std::size_t below = 0;
  std::uint32_t key = 0;
  while (below + counts_[key] < count) below += counts_[key++];
  return {range.low + key, counts_[key], count - below};
}

/// Counts ranges of keys, then looks only at the keys of the range that the cut is in.
PointTable::Cut PointTable::narrow_down(const std::uint32_t* keys, std::size_t size, std::uint32_t flip,
                                        Range range, std::size_t count) {
  constexpr std::size_t few = 64;
  std::size_t below = 0;
  some_.clear();
  if (size <= few) {
    for (std::size_t i = 0; i < size; ++i) some_.push_back(keys[i] ^ flip);
  } else {
    const auto width = static_cast<unsigned>(std::bit_width(range.high - range.low));
    const unsigned shift = width > 10 ? width - 10 : 0;
    counts_.assign(((range.high - range.low) >> shift) + 1, 0);
    for (std::size_t i = 0; i < size; ++i) ++counts_[((keys[i] ^ flip) - range.low) >> shift];
    std::uint32_t bucket = 0;
    while (below + counts_[bucket] < count) below += counts_[bucket++];
    for (std::size_t i = 0; i < size; ++i)
      if (((keys[i] ^ flip) - range.low) >> shift == bucket) some_.push_back(keys[i] ^ flip);
  }
  const auto last = some_.begin() + to_count(count - below - 1);
  std::nth_element(some_.begin(), last, some_.end());
  const std::uint32_t key = *last;
  const auto earlier = to_size(std::count(some_.begin(), last, key));
  const auto later = to_size(std::count(last, some_.end(), key));
  return {key, earlier + later, earlier + 1};
}

PointTable::Cut PointTable::cut_after(const Region& region, std::size_t dimension, std::uint32_t flip,
                                      std::size_t count) {
  Range range = region == narrowed_ ? ranges_[dimension] : range_of(region, dimension);
  if (flip != 0) range = {range.high ^ flip, range.low ^ flip};
  const std::uint32_t* const keys = column(region, dimension);
  const bool dense = range.high - range.low < 2 * region.size() + 16;
  return dense ? count_each(keys, region.size(), flip, range, count)
               : narrow_down(keys, region.size(), flip, range, count);
}

/// Decides among the points that agree with the cut: their target becomes 0 (below) or 1.
void PointTable::settle_ties(const Region& region, std::size_t dimension, std::uint64_t reversed,
                             const Cut& cut) {
  const std::uint32_t* const keys = column(region, dimension);
  const std::uint32_t key = cut.key ^ flip_of(reversed, dimension);
  some_.clear();
  for (std::size_t i = 0; i < region.size(); ++i)
    if (keys[i] == key) some_.push_back(static_cast<std::uint32_t>(i));
  const auto end = some_.begin() + to_count(cut.accept);
  std::nth_element(some_.begin(), end, some_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return precedes(region, dimension, reversed, a, b);
  });
  for (auto place = some_.begin(); place != some_.end(); ++place) targets_[*place] = place < end ? 0 : 1;
}

/// Writes for each point of the region where it goes.
void PointTable::aim(const Region& region, std::size_t dimension, std::uint64_t reversed, std::size_t count) {
  const std::uint32_t* const keys = column(region, dimension);
  const std::uint32_t flip = flip_of(reversed, dimension);
  const Cut cut = cut_after(region, dimension, flip, count);
  for (std::size_t i = 0; i < region.size(); ++i) targets_[i] = (keys[i] ^ flip) > cut.key ? 1 : 0;
  if (cut.accept < cut.ties) settle_ties(region, dimension, reversed, cut);
  auto lower = static_cast<std::uint32_t>(region.first);
  auto upper = static_cast<std::uint32_t>(region.first + count);
  for (std::size_t i = 0; i < region.size(); ++i) {
    const std::uint32_t side = targets_[i];
    targets_[i] = lower + (upper - lower) * side;
    upper += side;
    lower += 1 - side;
  }
}

PointTable::Halves PointTable::split(const Region& region, std::size_t dimension, std::uint64_t reversed,
                                     std::size_t count) {
  Halves halves{region, region};
  halves.lower.last = halves.upper.first = region.first + count;
  dimension = first_varied(region, dimension);
  if (count == 0 || count == region.size() || dimension == dimensions()) return halves;
  aim(region, dimension, reversed, count);
  halves.lower.copy = halves.upper.copy = 1 - region.copy;
  for (std::size_t d = 0; d <= dimensions(); ++d) {
    if (d < dimensions() && !has(region.varied, d)) continue;
    const std::uint32_t* const from = column(region, d);
    std::uint32_t* const to = columns_[to_index(1 - region.copy)][d].data();
    for (std::size_t i = 0; i < region.size(); ++i) to[targets_[i]] = from[i];
  }
  return halves;
}

std::size_t PointTable::count_of_weight(const Region& region, std::size_t dimension, std::uint64_t reversed,
                                        double share, std::size_t fewest, std::size_t most) {
  some_.resize(region.size());
  std::iota(some_.begin(), some_.end(), std::uint32_t{0});
  std::sort(some_.begin(), some_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return precedes(region, dimension, reversed, a, b); });
  const auto points = numbers(region);
  double total = 0;
  for (const std::uint32_t place : some_) total += weights_[points[place]];
  std::size_t best = fewest;
  double least = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t count = 1; count <= most; ++count) {
    sum += weights_[points[some_[count - 1]]];
    const double error = std::fabs(sum - share * total);
    if (count < fewest || error >= least) continue;
    least = error;
    best = count;
  }
  return best;
}

}  // namespace halocline::network
