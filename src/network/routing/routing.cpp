// SPDX-License-Identifier: BSD-3-Clause
#include "network/routing/routing.hpp"

#include "network/routing/network_routes.hpp"

namespace halocline::network {
namespace {

Routing::NetworkRoutes::Kinds routes_of(const Network& network) {
  const auto& topology = network.topology();
  if (const auto* cartesian = std::get_if<Network::Cartesian>(&topology)) return CartesianRoutes(*cartesian);
  if (const auto* tree = std::get_if<Network::FatTree>(&topology)) return FatTreeRoutes(*tree);
  return DragonflyRoutes(std::get<Network::Dragonfly>(topology));
}

}  // namespace

Routing::Routing(const Network& network)
    : routes_(std::make_shared<const NetworkRoutes>(routes_of(network))) {}

Count Routing::distance(Count from, Count to) const {
  return std::visit([&](const auto& routes) { return routes.distance(from, to); }, routes_->kinds());
}

Counts Routing::route(Count from, Count to) const {
  Counts links;
  const auto note = [&](Count link) { links.push_back(link); };
  std::visit([&](const auto& routes) { routes.walk(from, to, note); }, routes_->kinds());
  return links;
}

Count Routing::links() const {
  return std::visit([](const auto& routes) { return routes.links(); }, routes_->kinds());
}

double Routing::bandwidth(Count link) const {
  return std::visit([&](const auto& routes) { return routes.bandwidth(link); }, routes_->kinds());
}

}  // namespace halocline::network
