// SPDX-License-Identifier: BSD-3-Clause
#include "network/routing/metrics.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "network/routing/link_loads.hpp"
#include "network/routing/network_routes.hpp"

#include <algorithm>

namespace halocline::network {
namespace {

constexpr Count most_links = Count{1} << 31;  // Then coordinates fit in 32 bits.

void check(const TaskMessages& messages, const Network& network, std::span<const Count> node_of_task) {
  require(count_of(node_of_task) == messages.tasks(), "nodes are given for ", node_of_task.size(),
          " tasks, but ", messages.tasks(), " tasks send messages");
  for (std::size_t task = 0; task < node_of_task.size(); ++task)
    require(0 <= node_of_task[task] && node_of_task[task] < network.nodes(), "task ", task, " is on node ",
            node_of_task[task], ", which is not in 0..", network.nodes() - 1);
}

void check_links(Count links) {
  if (links > most_links)
    fail(Fault::unsupported, "data on each of ", links, " links would take too much memory; there may be ",
         most_links);
}

/// Sums up the first three metrics; `hops_of` gives those of a whole run.
template <class HopsOf>
Metrics sum_hops(const TaskMessages& messages, const HopsOf& hops_of) {
  Metrics metrics;
  messages.for_each_run([&](const TaskMessages::Run& run) {
    const Count hops = hops_of(run);
    metrics.messages += run.length;
    metrics.hops += hops;
    metrics.weighted_hops += run.weight * to_double(hops);
  });
  if (metrics.messages > 0) metrics.average_hops = ratio_of(metrics.hops, metrics.messages);
  return metrics;
}

/// Calls visit(from node, to node, weight) for every message.
template <class Visit>
void for_each_message(const TaskMessages& messages, std::span<const Count> node_of_task, const Visit& visit) {
  messages.for_each_run([&](const TaskMessages::Run& run) {
    for (Count i = 0; i < run.length; ++i)
      visit(node_of_task[to_index(run.from + i)], node_of_task[to_index(run.to + i)], run.weight);
  });
}

template <class RoutesOfKind>
Metrics hops_on(const RoutesOfKind& routes, const TaskMessages& messages,
                std::span<const Count> node_of_task) {
  return sum_hops(messages, [&](const TaskMessages::Run& run) {
    Count hops = 0;
    for (Count i = 0; i < run.length; ++i)
      hops += routes.distance(node_of_task[to_index(run.from + i)], node_of_task[to_index(run.to + i)]);
    return hops;
  });
}

Metrics hops_on(const CartesianRoutes& routes, const TaskMessages& messages,
                std::span<const Count> node_of_task) {
  if (!RouterCoordinates::fits(routes)) return hops_on<CartesianRoutes>(routes, messages, node_of_task);
  const RouterCoordinates coordinates(routes, node_of_task);
  return sum_hops(messages, [&](const TaskMessages::Run& run) { return coordinates.hops(run); });
}

template <class RoutesOfKind>
std::vector<double> data_on(const RoutesOfKind& routes, const TaskMessages& messages,
                            std::span<const Count> node_of_task) {
  std::vector<double> data(to_size(routes.links()), 0);
  for_each_message(messages, node_of_task, [&](Count from, Count to, double weight) {
    routes.walk(from, to, [&](Count link) { data[to_index(link)] += weight; });
  });
  return data;
}

std::vector<double> data_on(const CartesianRoutes& routes, const TaskMessages& messages,
                            std::span<const Count> node_of_task) {
  const RouterCoordinates coordinates(routes, node_of_task);
  LinkLoads loads(routes, coordinates);
  messages.for_each_run([&](const TaskMessages::Run& run) { loads.add(run); });
  return std::move(loads).sum();
}

}  // namespace

Metrics measure_hops(const TaskMessages& messages, const Network& network,
                     std::span<const Count> node_of_task) {
  check(messages, network, node_of_task);
  const Routing routing(network);
  return std::visit([&](const auto& routes) { return hops_on(routes, messages, node_of_task); },
                    routing.routes().kinds());
}

std::vector<double> data_per_link(const TaskMessages& messages, const Network& network,
                                  std::span<const Count> node_of_task) {
  check(messages, network, node_of_task);
  const Routing routing(network);
  check_links(routing.links());
  return std::visit([&](const auto& routes) { return data_on(routes, messages, node_of_task); },
                    routing.routes().kinds());
}

Metrics measure(const TaskMessages& messages, const Network& network, std::span<const Count> node_of_task) {
  Metrics metrics = measure_hops(messages, network, node_of_task);
  const std::vector<double> data = data_per_link(messages, network, node_of_task);
  const Routing routing(network);
  for (std::size_t link = 0; link < data.size(); ++link) {
    if (data[link] <= 0) continue;
    metrics.max_data = std::max(metrics.max_data, data[link]);
    metrics.max_latency = std::max(metrics.max_latency, data[link] / routing.bandwidth(to_count(link)));
  }
  return metrics;
}

}  // namespace halocline::network
