// SPDX-License-Identifier: BSD-3-Clause
#include "network/points/machine_points.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "network/routing/cartesian_routes.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

namespace halocline::network {
namespace {

using Columns = std::vector<std::vector<double>>;

/// Where a router is along a dimension. Routers before the border that was moved come after all others.
struct Place {
  Count coordinate;
  bool behind;
};

/// The positions along one dimension of a mesh or torus.
class Axis {
 public:
  Axis(const Network::Cartesian& network, std::size_t dimension, bool by_bandwidth)
      : extent_(network.extents[dimension]), before_{0} {
    const Network::Pattern uniform{1};
    for (const double bandwidth : by_bandwidth ? network.bandwidths[dimension] : uniform)
      before_.push_back(before_.back() + 1 / bandwidth);
  }

  /// The length of the links before it.
  [[nodiscard]] double position(Place place) const {
    return along(place.coordinate) + (place.behind ? along(extent_) : 0);
  }

 private:
  [[nodiscard]] double along(Count links) const {
    const auto period = count_of(before_) - 1;
    const Count whole = links / period;
    return to_double(whole) * before_.back() + before_[to_index(links % period)];
  }

  Count extent_;
  std::vector<double> before_;  ///< The links of the pattern before each of its links.
};

/// The coordinate behind the widest gap; 0 if that is around the border anyway, or no gap is wider than a
/// link.
Count after_widest_gap(Counts coordinates, Count extent) {
  std::sort(coordinates.begin(), coordinates.end());
  Count widest = std::max<Count>(coordinates.front() + extent - coordinates.back(), 1);
  Count after = 0;
  for (std::size_t i = 1; i < coordinates.size(); ++i) {
    const Count gap = coordinates[i] - coordinates[i - 1];
    if (gap <= widest) continue;
    widest = gap;
    after = coordinates[i];
  }
  return after;
}

std::vector<Place> places_along(const CartesianRoutes& routes, const Counts& nodes, std::size_t dimension,
                                bool shift) {
  Counts coordinates;
  for (const Count node : nodes) coordinates.push_back(routes.coordinate(routes.router(node), dimension));
  const Count start =
      shift && routes.periodic(dimension) ? after_widest_gap(coordinates, routes.extent(dimension)) : 0;
  std::vector<Place> places;
  for (const Count coordinate : coordinates) places.push_back({coordinate, coordinate < start});
  return places;
}

/// Makes the least distance between two boxes larger than any distance within one.
void spread(Columns& boxes, const Columns& within) {
  double widest = 0;
  for (const auto& column : within)
    widest = std::max(widest, *std::max_element(column.begin(), column.end()));
  double narrowest = 0;
  for (std::vector<double> column : boxes) {
    std::sort(column.begin(), column.end());
    for (std::size_t i = 1; i < column.size(); ++i) {
      const double gap = column[i] - column[i - 1];
      if (gap > 0 && (narrowest == 0 || gap < narrowest)) narrowest = gap;
    }
  }
  if (narrowest == 0) return;
  for (auto& column : boxes)
    for (double& coordinate : column) coordinate *= 1 + widest / narrowest;
}

void check_view(const MachineView& view, std::size_t dimensions) {
  require(view.boxes.empty() || view.boxes.size() == dimensions, "boxes of ", view.boxes.size(),
          " dimensions in a network of ", dimensions);
  for (const Count extent : view.boxes)
    require(extent >= 1, "boxes of ", join(view.boxes, "x"), " routers; every extent must be at least 1");
  for (const std::size_t d : view.ignored)
    require(d < dimensions, "dimension ", d, " cannot be ignored; there are 0..", dimensions - 1);
}

Points cartesian_points(const Network::Cartesian& network, const Counts& nodes, const MachineView& view) {
  const CartesianRoutes routes(network);
  check_view(view, routes.dimensions());
  Columns columns;
  Columns within;
  for (std::size_t d = 0; d < routes.dimensions(); ++d) {
    if (std::find(view.ignored.begin(), view.ignored.end(), d) != view.ignored.end()) continue;
    const Axis axis(network, d, view.by_bandwidth);
    const Count box = view.boxes.empty() ? 1 : view.boxes[d];
    auto& outer = columns.emplace_back();
    auto& inner = within.emplace_back();
    for (const Place place : places_along(routes, nodes, d, view.shift)) {
      const double start = axis.position({place.coordinate / box * box, place.behind});
      outer.push_back(start);
      inner.push_back(axis.position(place) - start);
    }
  }
  require(!columns.empty(), "all ", routes.dimensions(), " dimensions of the network are ignored");
  if (view.boxes.empty()) return Points(std::move(columns));
  spread(columns, within);
  std::move(within.begin(), within.end(), std::back_inserter(columns));
  return Points(std::move(columns));
}

/// The path from the outside in. Steps on a level are longer than the way through everything below.
Points hierarchy_points(const Network& network, const Counts& nodes, std::size_t levels,
                        const MachineView& view) {
  if (!view.boxes.empty() || !view.ignored.empty())
    fail(Fault::unsupported, "only a mesh or torus has boxes or dimensions to ignore, not ",
         network.to_text());
  Columns columns(levels, std::vector<double>(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Counts path = network.coordinates(nodes[i]);
    for (std::size_t level = 0; level < levels; ++level) columns[level][i] = to_double(path[level]);
  }
  double step = 1;
  for (std::size_t level = levels; level-- > 0;) {
    for (double& coordinate : columns[level]) coordinate *= step;
    step *= to_double(network.extents()[level]);
  }
  return Points(std::move(columns));
}

/// For each core the position of its node in the allocation.
Counts position_of_core(const Allocation& allocation, const Counts& cores_per_node) {
  const auto nodes = to_size(allocation.size());
  require(cores_per_node.size() == 1 || cores_per_node.size() == nodes, "cores are given for ",
          cores_per_node.size(), " nodes; it takes one number for all, or one for each of ", nodes, " nodes");
  const auto cores_of = [&](std::size_t node) {
    return cores_per_node[cores_per_node.size() == 1 ? 0 : node];
  };
  constexpr Count most_cores = std::numeric_limits<std::int32_t>::max();
  Count all = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    require(cores_of(i) >= 0, "node ", i, " of the allocation cannot have ", cores_of(i), " cores");
    require(cores_of(i) <= most_cores - all, "node ", i, " of the allocation has ", cores_of(i),
            " cores, which makes more than ", most_cores, " of all nodes");
    all += cores_of(i);
  }
  Counts positions;
  positions.reserve(to_size(all));
  for (std::size_t i = 0; i < nodes; ++i)
    positions.insert(positions.end(), to_size(cores_of(i)), to_count(i));
  require(!positions.empty(), "the allocation has no cores; it takes at least one");
  return positions;
}

}  // namespace

Points node_points(const Allocation& allocation, const MachineView& view) {
  const Network& network = allocation.network();
  const auto& topology = network.topology();
  if (const auto* cartesian = std::get_if<Network::Cartesian>(&topology))
    return cartesian_points(*cartesian, allocation.nodes(), view);
  // The hosts of a dragonfly's router are at one point, as in a torus; those of a fat tree are the last tier.
  const std::size_t levels =
      std::holds_alternative<Network::Dragonfly>(topology) ? 2 : network.extents().size();
  return hierarchy_points(network, allocation.nodes(), levels, view);
}

Counts node_of_core(const Allocation& allocation, const Counts& cores_per_node) {
  Counts nodes = position_of_core(allocation, cores_per_node);
  for (Count& node : nodes) node = allocation.nodes()[to_index(node)];
  return nodes;
}

Points core_points(const Allocation& allocation, const Counts& cores_per_node, const MachineView& view) {
  return node_points(allocation, view).only(position_of_core(allocation, cores_per_node));
}

}  // namespace halocline::network
