// SPDX-License-Identifier: BSD-3-Clause
#include "place/graph/map_graph.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "place/graph/best_parts.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace halocline::place {
namespace {

constexpr Count most_ranks = Count{1} << 31U;
/// So many for each vertex and end of an edge, and some for every graph: small ones are worth many tries.
constexpr double usual_steps_each = 400;
constexpr double usual_steps = 4e7;
/// Beyond that large graphs take little more than the first division does.
constexpr double most_steps = 1.2e9;

WorkGraph work_graph(const MessageGraph& graph) {
  WorkGraph work;
  const std::size_t ranks = to_size(graph.ranks());
  work.sizes.assign(ranks, 1);
  work.starts.reserve(ranks + 1);
  work.targets.reserve(to_size(2 * graph.pairs()));
  work.weights.reserve(to_size(2 * graph.pairs()));
  for (Rank rank = 0; rank < graph.ranks(); ++rank) {
    for (const Rank other : graph.neighbours(rank)) work.targets.push_back(static_cast<Vertex>(other));
    const std::span bytes = graph.bytes_with_neighbours(rank);
    work.weights.insert(work.weights.end(), bytes.begin(), bytes.end());
    work.starts.push_back(work.targets.size());
  }
  return work;
}

/// Deals ranks to the groups of a machine, level after level.
class Seating {
 public:
  Seating(const Machine& machine, double effort, std::uint64_t seed)
      : machine_(machine), effort_(effort), dice_(seed), seats_(to_size(machine.ranks())) {}

  /// Gives `ranks`, which talk as `graph` says, the seats from `first` on. @pre the seats are groups of the
  /// level above
  void seat(const WorkGraph& graph, std::span<const Vertex> ranks, Rank first, std::size_t level) {
    if (level == machine_.levels().size() || machine_.sizes(level).size() == machine_.ranks() ||
        graph.targets.empty())
      return in_order(ranks, first);
    const Counts sizes = group_sizes(first, count_of(ranks), level);
    if (sizes.size() == 1) return seat(graph, ranks, first, level + 1);
    const double share = ratio_of(ranks.size(), machine_.ranks());
    const double steps =
        std::min(usual_steps_each * to_double(graph.extent()), most_steps) + usual_steps * share;
    std::vector<Part> parts = best_parts(graph, sizes, effort_ * steps, dice_);
    close_to_order(parts, sizes);
    Subgraphs pieces(graph);
    std::vector<std::vector<Vertex>> members(sizes.size());
    for (Vertex v = 0; v < parts.size(); ++v) members[parts[v]].push_back(v);
    for (const std::vector<Vertex>& group : members) {
      std::vector<Vertex> inner;
      inner.reserve(group.size());
      for (const Vertex v : group) inner.push_back(ranks[v]);
      seat(pieces.among(group), inner, first, level + 1);
      first += count_of(group);
    }
  }

  [[nodiscard]] std::vector<Rank> take() { return std::move(seats_); }

 private:
  void in_order(std::span<const Vertex> ranks, Rank first) {
    for (const Vertex rank : ranks) seats_[rank] = first++;
  }

  [[nodiscard]] Counts group_sizes(Rank first, Count ranks, std::size_t level) const {
    const Runs& sizes = machine_.sizes(level);
    Counts own;
    const Count end = sizes.find(first + ranks - 1);
    for (Count group = sizes.find(first); group <= end; ++group) own.push_back(sizes[group]);
    return own;
  }

  /// Parts of the same size may change places: their lowest ranks come in ascending order.
  static void close_to_order(std::vector<Part>& parts, const Counts& sizes) {
    std::map<Count, std::vector<Part>> of_size;  // the first of them at the end
    for (std::size_t part = sizes.size(); part-- > 0;)
      of_size[sizes[part]].push_back(static_cast<Part>(part));
    constexpr Part unknown = std::numeric_limits<Part>::max();
    std::vector<Part> name(sizes.size(), unknown);
    for (Part& part : parts) {
      if (name[part] == unknown) {
        std::vector<Part>& free = of_size[sizes[part]];
        name[part] = free.back();
        free.pop_back();
      }
      part = name[part];
    }
  }

  const Machine& machine_;
  double effort_;
  Dice dice_;
  std::vector<Rank> seats_;
};

GraphMapping mapping_of(const MessageGraph& graph, const Machine& machine, std::vector<Rank> seats) {
  GraphCost cost = cost_of(graph, machine, seats);
  return {std::move(seats), std::move(cost)};
}

std::vector<Rank> seats_in_order(std::span<const Vertex> order) {
  std::vector<Rank> seats(order.size());
  Rank next = 0;
  for (const Vertex rank : order) seats[rank] = next++;
  return seats;
}

}  // namespace

GraphMapping map_graph(const MessageGraph& graph, const Machine& machine,
                       const GraphMappingOptions& options) {
  const LevelWeights prices = options.prices.empty() ? usual_weights(machine) : options.prices;
  if (graph.ranks() > most_ranks)
    fail(Fault::unsupported, graph.ranks(), " ranks: graphs are mapped of at most ", most_ranks);
  require(options.effort >= 0, "an effort of ", options.effort);
  std::vector<Vertex> order(to_size(graph.ranks()));
  std::iota(order.begin(), order.end(), Vertex{0});
  GraphMapping best = mapping_of(graph, machine, seats_in_order(order));
  if (priced(best.cost, prices) == 0) return best;

  const WorkGraph work = work_graph(graph);
  Seating seating(machine, options.effort, options.seed);
  seating.seat(work, order, 0, 0);
  for (std::vector<Rank> seats : {seating.take(), seats_in_order(breadth_first_order(work))}) {
    GraphMapping next = mapping_of(graph, machine, std::move(seats));
    if (priced(next.cost, prices) < priced(best.cost, prices)) best = std::move(next);
  }
  return best;
}

std::vector<Rank> ranks_by_position(const GraphMapping& mapping) {
  std::vector<Rank> ranks(mapping.seats.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    ranks[to_index(mapping.seats[rank])] = to_count(rank);
  return ranks;
}

}  // namespace halocline::place
