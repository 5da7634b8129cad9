// SPDX-License-Identifier: BSD-3-Clause
// Data on the links of a mesh or torus, in constant time for each message and dimension: a message loads a
// stretch of one line of routers, so its two ends are noted, and one sweep at the end sums them up.
#pragma once

#include "network/routing/router_coordinates.hpp"

#include <vector>

namespace halocline::network {

class LinkLoads {
 public:
  LinkLoads(const CartesianRoutes& routes, const RouterCoordinates& coordinates);

  void add(const TaskMessages::Run& run);

  /// The weight on each link. To be asked for once, at the end.
  [[nodiscard]] std::vector<double> sum() &&;

 private:
  const CartesianRoutes& routes_;
  const RouterCoordinates& coordinates_;
  std::vector<double> changes_;  ///< Of the weight, from one link of a line to the next.
};

}  // namespace halocline::network
