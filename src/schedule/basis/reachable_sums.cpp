// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/basis/reachable_sums.hpp"

#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::schedule {

ReachableSums::ReachableSums(std::span<const Count> offsets, std::size_t dimensions)
    : low_(dimensions, 0), high_(dimensions, 0), stride_(dimensions) {
  for (std::size_t at = 0; at < offsets.size(); ++at) {
    low_[at % dimensions] = std::min(low_[at % dimensions], offsets[at]);
    high_[at % dimensions] = std::max(high_[at % dimensions], offsets[at]);
  }
  for (std::size_t d = dimensions; d-- > 0;) {
    stride_[d] = to_count(points_);
    // Both ends are tested on their own: their distance may leave 64 bits.
    constexpr auto most = to_count(most_points);
    const Count side = low_[d] > -most && high_[d] < most ? high_[d] - low_[d] + 1 : most + 1;
    if (side > most / to_count(points_)) {
      points_ = 0;
      return;
    }
    points_ *= to_size(side);
  }
}

std::size_t ReachableSums::index(std::span<const Count> point) const {
  std::ptrdiff_t index = 0;
  for (std::size_t d = 0; d < low_.size(); ++d) index += (point[d] - low_[d]) * stride_[d];
  return to_size(index);
}

Counts ReachableSums::point(std::size_t index) const {
  Counts point(low_.size());
  auto rest = to_count(index);
  for (std::size_t d = 0; d < low_.size(); ++d) {
    point[d] = low_[d] + rest / stride_[d];
    rest %= stride_[d];
  }
  return point;
}

}  // namespace halocline::schedule
