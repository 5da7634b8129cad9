// SPDX-License-Identifier: BSD-3-Clause
#include "network/routing/router_coordinates.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace halocline::network {
namespace {

constexpr std::int32_t far_away = std::numeric_limits<std::int32_t>::max();

Count distances(const std::int32_t* a, const std::int32_t* b, Count length, std::int32_t around) {
  Count sum = 0;
  for (Count i = 0; i < length; ++i) {
    const std::int32_t apart = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
    sum += std::min(apart, around - apart);
  }
  return sum;
}

}  // namespace

bool RouterCoordinates::fits(const CartesianRoutes& routes) { return routes.routers() <= far_away / 2; }

RouterCoordinates::RouterCoordinates(const CartesianRoutes& routes, std::span<const Count> node_of_task)
    : columns_(routes.dimensions(), std::vector<std::int32_t>(node_of_task.size())) {
  // Some tasks at a time, so that one column after the other is written.
  std::array<std::int32_t, 512> left;
  for (std::size_t first = 0; first < node_of_task.size(); first += left.size()) {
    const std::size_t count = std::min(left.size(), node_of_task.size() - first);
    for (std::size_t i = 0; i < count; ++i) left[i] = to_int(routes.router(node_of_task[first + i]));
    for (std::size_t d = columns_.size(); d-- > 0;) {
      const auto extent = to_int(routes.extent(d));
      // Exact for numbers of 31 bits: half a step is much more than what rounding changes.
      const double inverse = 1.0 / extent;
      for (std::size_t i = 0; i < count; ++i) {
        const auto rest = static_cast<std::int32_t>((left[i] + 0.5) * inverse);
        columns_[d][first + i] = left[i] - rest * extent;
        left[i] = rest;
      }
    }
  }
  for (std::size_t d = 0; d < columns_.size(); ++d)
    around_.push_back(routes.periodic(d) ? to_int(routes.extent(d)) : far_away);
}

Count RouterCoordinates::hops(const TaskMessages::Run& run) const {
  Count sum = 0;
  for (std::size_t d = 0; d < columns_.size(); ++d)
    sum +=
        distances(&columns_[d][to_index(run.from)], &columns_[d][to_index(run.to)], run.length, around_[d]);
  return sum;
}

}  // namespace halocline::network
