// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/routed_zone.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>

namespace halocline::simulate {
RoutedZone::RoutedZone(const std::string& name, const Cluster& cluster)
    : NetZoneImpl(name),
      routing_(cluster.network),
      link_latency_(cluster.link_latency_seconds),
      node_latency_(cluster.node_latency_seconds) {
  // A link of Routing is one direction, as all of SimGrid's are that are not split.
  for (Count link = 0; link < routing_.links(); ++link) {
    const std::string called = concat(name, "_link", link);
    create_link(called, {routing_.bandwidth(link) * gigabyte})->set_latency(link_latency_)->seal();
    links_.push_back(get_link_by_name_or_null(called));
  }
}

void RoutedZone::add_memory(const simgrid::s4u::Link* link) {
  memory_.push_back(get_link_by_name_or_null(link->get_name()));
}

void RoutedZone::get_local_route(const simgrid::kernel::routing::NetPoint* from,
                                 const simgrid::kernel::routing::NetPoint* to,
                                 simgrid::kernel::routing::Route* into, double* latency) {
  const auto passes = [&](LinkOfZone* link, double seconds) {
    into->link_list_.push_back(link);
    if (latency != nullptr) *latency += seconds;
  };
  if (from->id() == to->id()) return passes(memory_[from->id()], node_latency_);
  for (const Count link : routing_.route(to_count(from->id()), to_count(to->id())))
    passes(links_[to_index(link)], link_latency_);
}

}  // namespace halocline::simulate
