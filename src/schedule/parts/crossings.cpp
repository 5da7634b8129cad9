// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/parts/crossings.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "schedule/parts/size_limit.hpp"

#include <algorithm>

namespace halocline::schedule {

Crossings::Crossings(std::span<const Count> offsets, std::span<const std::size_t> order, HopKind hop)
    : hop_(hop), order_(order.begin(), order.end()), axes_(order.size()) {
  const std::size_t dimensions = order.size();
  for (const std::size_t d : order_) {
    Axis& axis = axes_[d];
    axis.first_round = to_int(rounds_);
    for (std::size_t at = d; at < offsets.size(); at += dimensions) {
      axis.largest = std::max(axis.largest, offsets[at]);
      axis.smallest = std::min(axis.smallest, offsets[at]);
      if (hop == HopKind::whole && offsets[at] != 0) axis.coordinates.push_back(offsets[at]);
    }
    std::sort(axis.coordinates.begin(), axis.coordinates.end());
    axis.coordinates.erase(std::unique(axis.coordinates.begin(), axis.coordinates.end()),
                           axis.coordinates.end());
    const Count rounds =
        hop == HopKind::whole ? count_of(axis.coordinates) : checked_subtract(axis.largest, axis.smallest);
    rounds_ = checked_add(rounds_, rounds);
    require_size(hop == HopKind::unit ? "torus" : "torus-direct", "rounds", rounds_);
  }
}

Crossings::RoundRange Crossings::across(std::size_t dimension, Count coordinate) const {
  const Axis& axis = axes_[dimension];
  if (coordinate == 0) return {axis.first_round, 0};
  if (hop_ == HopKind::unit)
    return coordinate > 0
               ? RoundRange{axis.first_round, coordinate}
               : RoundRange{axis.first_round + static_cast<std::int32_t>(axis.largest), -coordinate};
  const auto found = std::lower_bound(axis.coordinates.begin(), axis.coordinates.end(), coordinate);
  return {axis.first_round + to_int(found - axis.coordinates.begin()), 1};
}

Counts Crossings::peers() const {
  const std::size_t dimensions = axes_.size();
  Counts peers(to_size(rounds_) * dimensions, 0);
  std::size_t round = 0;
  for (const std::size_t d : order_) {
    const Axis& axis = axes_[d];
    const auto add = [&](Count step) { peers[round++ * dimensions + d] = step; };
    for (const Count coordinate : axis.coordinates) add(coordinate);
    for (Count hop = 0; hop_ == HopKind::unit && hop < axis.largest; ++hop) add(1);
    for (Count hop = 0; hop_ == HopKind::unit && hop > axis.smallest; --hop) add(-1);
  }
  return peers;
}

}  // namespace halocline::schedule
