// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/row_major.hpp"

#include "base/factorization.hpp"
#include "base/hash.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace halocline::plan {
namespace {

constexpr std::size_t most_row_major_dimensions = 4, most_grids = 12;
constexpr Count sample_size = 512;

struct SampledPair {
  Count source;
  Count target;
};

/// Spread over all pairs, the same each time.
std::vector<SampledPair> sampled_pairs(const MessageMatrix& matrix) {
  const Count pairs = matrix.pairs(), every = std::max<Count>(1, pairs / sample_size);
  std::vector<SampledPair> sample;
  Count number = 0, next = 0;
  matrix.for_each([&](std::size_t source, std::size_t target, Count) {
    if (number++ < next) return;
    sample.push_back({to_count(source), to_count(target)});
    next += 1 + to_count(split_mixed(to_size(number)) % to_size(2 * every - 1));
  });
  return sample;
}

/// What a sample says of a grid.
struct SampleVerdict {
  Count near = 0;         ///< Pairs that are few steps apart.
  std::size_t kinds = 0;  ///< Different offsets of those.
};

/// Both ways around count as the shorter one, since nobody knows yet which dimensions are rings.
Count steps_between(Count from, Count to, Count extent) {
  const Count step = to - from;
  if (2 * std::abs(step) <= extent || std::abs(step) <= most_reach) return step;
  return step > 0 ? step - extent : step + extent;
}

SampleVerdict verdict(const std::vector<SampledPair>& sample, const Counts& extents) {
  SampleVerdict verdict;
  std::set<Offset> kinds;
  Offset offset(extents.size());
  for (auto [source, target] : sample) {
    bool near = true;
    for (std::size_t d = extents.size(); d-- > 0; source /= extents[d], target /= extents[d]) {
      offset[d] = steps_between(source % extents[d], target % extents[d], extents[d]);
      near = near && std::abs(offset[d]) <= most_reach;
    }
    if (!near) continue;
    ++verdict.near;
    kinds.insert(offset);
  }
  verdict.kinds = kinds.size();
  return verdict;
}

/// visit(extents) for each ordered product of so many factors of 2 or more.
template <class Visit>
void for_factorizations(Counts& extents, Count product, std::size_t factors, const Visit& visit) {
  if (factors == 1) {
    extents.push_back(product);
    visit(extents);
    return extents.pop_back();
  }
  for (const Count extent : divisors(product)) {
    if (extent == 1 || extent == product) continue;
    extents.push_back(extent);
    for_factorizations(extents, product / extent, factors - 1, visit);
    extents.pop_back();
  }
}

}  // namespace

Reading row_major_reading(const Counts& extents) {
  const Grid grid(extents);
  Reading reading{extents, {}};
  reading.cells.reserve(to_size(grid.size()) * extents.size());
  Cell cell(extents.size(), 0);
  for (Count rank = 0; rank < grid.size(); ++rank) {
    for (const Count x : cell) reading.cells.push_back(static_cast<std::int32_t>(x));
    for (std::size_t d = extents.size(); d-- > 0 && ++cell[d] == extents[d];) cell[d] = 0;
  }
  return reading;
}

std::vector<Counts> row_major_grids(const MessageMatrix& matrix) {
  const std::vector<SampledPair> sample = sampled_pairs(matrix);
  std::vector<std::pair<std::size_t, Counts>> fitting;
  for (std::size_t dimensions = 1; dimensions <= most_row_major_dimensions; ++dimensions) {
    Counts extents;
    for_factorizations(extents, matrix.ranks(), dimensions, [&](const Counts& grid) {
      const auto [near, kinds] = verdict(sample, grid);
      const Count far = count_of(sample) - near;  // each of a kind of its own
      if (5 * near >= 3 * count_of(sample)) fitting.emplace_back(kinds + to_size(far), grid);
    });
  }
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (fitting.size() > most_grids) fitting.resize(most_grids);
  std::vector<Counts> grids;
  grids.reserve(fitting.size());
  for (auto& [kinds, extents] : fitting) grids.push_back(std::move(extents));
  return grids;
}

}  // namespace halocline::plan
