// SPDX-License-Identifier: BSD-3-Clause
// The routes of whatever kind a network is.
#pragma once

#include "network/routing/cartesian_routes.hpp"
#include "network/routing/dragonfly_routes.hpp"
#include "network/routing/fat_tree_routes.hpp"
#include "network/routing/routing.hpp"

#include <utility>
#include <variant>

namespace halocline::network {

class Routing::NetworkRoutes {
 public:
  using Kinds = std::variant<CartesianRoutes, FatTreeRoutes, DragonflyRoutes>;

  explicit NetworkRoutes(Kinds kinds) : kinds_(std::move(kinds)) {}

  [[nodiscard]] const Kinds& kinds() const { return kinds_; }

 private:
  Kinds kinds_;
};

}  // namespace halocline::network
