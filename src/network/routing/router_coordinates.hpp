// SPDX-License-Identifier: BSD-3-Clause
// The coordinates of the routers that tasks sit at, ready for many distances: dimension by dimension, so that
// a run of messages reads memory in order.
#pragma once

#include "base/index.hpp"
#include "network/routing/cartesian_routes.hpp"
#include "network/routing/task_messages.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace halocline::network {

class RouterCoordinates {
 public:
  /// @pre fits(routes)
  RouterCoordinates(const CartesianRoutes& routes, std::span<const Count> node_of_task);

  /// Is the network small enough for 32 bits?
  [[nodiscard]] static bool fits(const CartesianRoutes& routes);

  [[nodiscard]] std::int32_t at(std::size_t dimension, Count task) const {
    return columns_[dimension][to_index(task)];
  }

  /// The hops of all messages of a run together.
  [[nodiscard]] Count hops(const TaskMessages::Run& run) const;

 private:
  std::vector<std::vector<std::int32_t>> columns_;
  std::vector<std::int32_t>
      around_;  ///< The extent of a periodic dimension; of an open one more than enough.
};

}  // namespace halocline::network
