// SPDX-License-Identifier: BSD-3-Clause
#include "plan/seats/seated_order.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "plan/seats/seats_in_node.hpp"
#include "plan/traced/matrix_cost.hpp"

#include <algorithm>
#include <utility>

namespace halocline::plan {
namespace {

/// For each rank its node, and its place there.
struct Places {
  Counts node_of;
  Counts place_of;
};

Places places_of(const place::Order& order) {
  Places places{Counts(to_index(order.size())), Counts(to_index(order.size()))};
  std::size_t position = 0;
  for (Count node = 0; node < order.nodes().size(); ++node)
    for (Count place = 0; place < order.nodes()[node]; ++place, ++position) {
      const std::size_t rank = to_index(order.ranks()[position]);
      places.node_of[rank] = node;
      places.place_of[rank] = place;
    }
  return places;
}

/// Of each node, with ranks called by their places.
std::vector<NodeTraffic> traffic_of_nodes(const MessageMatrix& matrix, const place::Order& order) {
  const Places places = places_of(order);
  std::vector<NodeTraffic> all;
  for (Count node = 0; node < order.nodes().size(); ++node) {
    const std::size_t size = to_index(order.nodes()[node]);
    all.push_back({Counts(size), std::vector<std::vector<std::pair<Count, Count>>>(size)});
  }
  matrix.for_each([&](std::size_t source, std::size_t target, Count bytes) {
    const std::size_t from = to_index(places.node_of[source]), to = to_index(places.node_of[target]);
    const std::size_t a = to_index(places.place_of[source]), b = to_index(places.place_of[target]);
    if (from == to) {
      all[from].inside[a].emplace_back(b, bytes);
      all[from].inside[b].emplace_back(a, bytes);
    } else {
      all[from].outside[a] += bytes;
      all[to].outside[b] += bytes;
    }
  });
  return all;
}

/// Numbers parts of a level across all nodes by the first core of each seat, and adds up what goes between
/// them.
Count bytes_between(const MessageMatrix& matrix, const place::Order& order, const SeatsBySize& seats,
                    const CoreLevel& level) {
  const Count parts = 1 + *std::max_element(level.part_of.begin(), level.part_of.end());
  const Places places = places_of(order);
  Counts part_of(places.node_of.size());
  for (std::size_t rank = 0; rank < part_of.size(); ++rank) {
    const Count node = places.node_of[rank];
    const Seat& seat = seats.at(order.nodes()[node])[to_index(places.place_of[rank])];
    part_of[rank] = node * parts + level.part_of[to_index(seat.cores.front())];
  }
  return cost_of_nodes(matrix, part_of).bytes;
}

/// The least span that any seat on this node could have.
Count least_span(const NodeDevices& node, DeviceKind kind, Count cores_per_rank) {
  Count least = node.cores();
  for (const Device& device : node.devices)
    if (device.kind == kind)
      least = std::min(least, *std::min_element(device.span.begin(), device.span.end()));
  return least * cores_per_rank;
}

Count bytes_far_from_nics(const SeatProblem& problem, const place::Order& order, const SeatsBySize& seats) {
  const Count near = least_span(problem.node, DeviceKind::nic, problem.cores_per_rank);
  const std::vector<NodeTraffic> traffic = traffic_of_nodes(problem.matrix, order);
  Count bytes = 0;
  for (Count node = 0; node < order.nodes().size(); ++node) {
    const std::vector<Seat>& places = seats.at(order.nodes()[node]);
    for (std::size_t place = 0; place < places.size(); ++place)
      if (places[place].nic_span > near) bytes += traffic[to_index(node)].outside[place];
  }
  return bytes;
}

Count ranks_far_from_gpus(const SeatProblem& problem, const place::Order& order, const SeatsBySize& seats) {
  Count ranks = 0;
  for (Count node = 0; node < order.nodes().size(); ++node)
    for (const Seat& seat : seats.at(order.nodes()[node])) {
      const Device& gpu = problem.node.devices[to_index(seat.gpu)];
      const Count near = *std::min_element(gpu.span.begin(), gpu.span.end()) * problem.cores_per_rank;
      if (span_of(gpu, seat.cores) > near) ++ranks;
    }
  return ranks;
}

place::Order exchanged(const SeatProblem& problem, const place::Order& order, const SeatsBySize& seats) {
  const std::vector<NodeTraffic> traffic = traffic_of_nodes(problem.matrix, order);
  std::vector<Rank> ranks(order.ranks().size());
  Count start = 0;
  for (Count node = 0; node < order.nodes().size(); ++node) {
    const Count size = order.nodes()[node];
    const Counts seat_of = seats_in_node(problem.node, seats.at(size), traffic[to_index(node)]);
    for (Count place = 0; place < size; ++place)
      ranks[to_index(start + seat_of[to_index(place)])] = order.ranks()[to_index(start + place)];
    start += size;
  }
  return {order.nodes(), std::move(ranks)};
}

}  // namespace

SeatedOrder seated(const SeatProblem& problem, const place::Order& order) {
  SeatsBySize before, after;
  for (const auto& [repeats, size] : order.nodes().runs()) {
    before.try_emplace(size, default_seats(problem.node, size, problem.cores_per_rank, problem.near));
    after.try_emplace(size, seats_of_node(problem.node, size, problem.cores_per_rank, problem.near));
  }
  SeatedOrder result{exchanged(problem, order, after), std::move(after), {}};
  const auto figure = [&](const std::string& what, const std::string& key, const auto& count) {
    result.figures.push_back({what, key, count(order, before), count(result.order, result.seats)});
  };
  std::vector<CoreLevel> levels{{"node", Counts(to_index(problem.node.cores()), 0)}};
  levels.insert(levels.end(), problem.node.levels.begin(), problem.node.levels.end());
  for (const CoreLevel& level : levels)
    figure("bytes between " + level.name + "s", level.name,
           [&](const place::Order& ranks, const SeatsBySize& seats) {
             return bytes_between(problem.matrix, ranks, seats, level);
           });
  if (problem.near.nic)
    figure("bytes in and out of nodes, by ranks far from a NIC", "far_from_nic",
           [&](const place::Order& ranks, const SeatsBySize& seats) {
             return bytes_far_from_nics(problem, ranks, seats);
           });
  if (problem.near.gpu)
    figure("ranks far from their GPU", "far_from_gpu",
           [&](const place::Order& ranks, const SeatsBySize& seats) {
             return ranks_far_from_gpus(problem, ranks, seats);
           });
  return result;
}

MessageMatrix messages_on_grid(const Grid& grid, const Stencil& stencil) {
  std::vector<MessageMatrix::Entry> entries;
  for (Count cell = 0; cell < grid.size(); ++cell) {
    const Cell here = grid.cell(cell);
    for (std::size_t i = 0; i < stencil.size(); ++i) {
      const Count there = grid.index_at(here, stencil.offsets()[i]);
      if (there != Lattice::nowhere && there != cell) entries.push_back({cell, there, stencil.weights()[i]});
    }
  }
  return {grid.size(), std::move(entries)};
}

}  // namespace halocline::plan
