// SPDX-License-Identifier: BSD-3-Clause
// A node owns consecutive ranks, and so does every group inside it. To place the groups is therefore to put
// the node's cells into an order; this file finds that order by cutting the node's cells in two, again and
// again.

#include "place/levels.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "place/cost/cost.hpp"
#include "place/cost/steps_on_grid.hpp"
#include "place/problem/rule.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

namespace halocline::place {
namespace {

using Index = std::uint32_t;  ///< A cell of a node, numbered as the placement before bisection has it.

/// The order of one node's cells, both ways.
struct NodeOrder {
  Count node = -1;
  std::vector<Index> cell_of;  ///< By rank within the node.
  std::vector<Index> rank_of;  ///< Its inverse.
};

/// The cells of one node and the messages among them.
class NodeGraph {
 public:
  NodeGraph(const Problem& problem, const Steps& steps, const Placement& placement, Rank first, Count size)
      : dimensions_(problem.grid().dimensions()) {
    const Grid& grid = problem.grid();
    coordinates_.resize(to_size(size) * dimensions_);
    starts_.push_back(0);
    Cell neighbour(dimensions_);
    for (Count i = 0; i < size; ++i) {
      const std::span cell(coordinates_.data() + to_index(i) * dimensions_, dimensions_);
      placement.cell(first + i, cell);
      for (const GridStep& step : steps.list) {
        if (!step_to(grid, cell, step.offset, neighbour)) continue;
        const Rank other = placement.rank(neighbour) - first;
        if (0 <= other && other < size) edges_.push_back({static_cast<Index>(other), step.weight});
      }
      starts_.push_back(edges_.size());
    }
  }

  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
  [[nodiscard]] Count coordinate(Index cell, std::size_t d) const {
    return coordinates_[cell * dimensions_ + d];
  }

  /// The weight between the first `count` of `cells` and the others of them. `mark` is 0 for all cells, also
  /// afterwards.
  [[nodiscard]] Count cut(std::span<const Index> cells, std::size_t count, std::vector<char>& mark) const {
    for (const Index cell : cells.first(count)) mark[cell] = 1;
    for (const Index cell : cells.subspan(count)) mark[cell] = 2;
    Count weight = 0;
    for (const Index cell : cells)
      for (std::size_t l = starts_[cell]; l < starts_[cell + 1]; ++l)
        if (mark[edges_[l].other] + mark[cell] == 3) weight += edges_[l].weight;
    for (const Index cell : cells) mark[cell] = 0;
    return weight;
  }

 private:
  struct Edge {
    Index other;
    Count weight;
  };

  static bool step_to(const Grid& grid, std::span<const Count> cell, const Offset& offset, Cell& neighbour) {
    for (std::size_t d = 0; d < cell.size(); ++d) {
      const Count extent = grid.extents()[d];
      neighbour[d] = cell[d] + offset[d];
      if (0 <= neighbour[d] && neighbour[d] < extent) continue;
      if (!grid.periodic(d)) return false;
      neighbour[d] += neighbour[d] < 0 ? extent : -extent;
    }
    return true;
  }

  std::size_t dimensions_;
  Counts coordinates_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> starts_;  ///< Of each cell's edges.
};

class Bisected : public Placement::Rule {
 public:
  Bisected(const Problem& problem, Placement outer)
      : problem_(problem),
        steps_(normalized_steps(problem.grid(), problem.stencil())),
        outer_(std::move(outer)),
        cache_(to_size(std::min(problem.machine().nodes(), most_nodes_kept))) {}

  void locate(Rank rank, std::span<Count> cell) const override {
    const Runs& sizes = problem_.machine().node_sizes();
    const Count node = sizes.find(rank);
    const Rank first = sizes.start(node);
    outer_.cell(first + order(node)->cell_of[to_index(rank - first)], cell);
  }

  Rank owner(std::span<const Count> cell) const override { return renumbered(outer_.rank(cell)); }

  void owners(const Grid&, Count first, std::span<Rank> ranks) const override {
    outer_.ranks(first, ranks);
    for (Rank& rank : ranks) rank = renumbered(rank);
  }

 private:
  static constexpr Count most_nodes_kept = 1024;

  [[nodiscard]] Rank renumbered(Rank outer) const {
    const Runs& sizes = problem_.machine().node_sizes();
    const Count node = sizes.find(outer);
    const Rank first = sizes.start(node);
    return first + order(node)->rank_of[to_index(outer - first)];
  }

  /// The order of a node, from the cache or made now. Two threads may make the same one; either serves.
  [[nodiscard]] std::shared_ptr<const NodeOrder> order(Count node) const {
    auto& slot = cache_[to_index(node) % cache_.size()];
    std::shared_ptr<const NodeOrder> known = slot.load(std::memory_order_acquire);
    if (known && known->node == node) return known;
    known = make_order(node);
    slot.store(known, std::memory_order_release);
    return known;
  }

  [[nodiscard]] std::shared_ptr<const NodeOrder> make_order(Count node) const {
    const Machine& machine = problem_.machine();
    const Rank first = machine.node_sizes().start(node);
    const Count size = machine.node_sizes()[node];
    if (size > std::numeric_limits<Index>::max())
      fail(Fault::unsupported, "a node of ", size, " ranks is too large to place inside");
    const NodeGraph cells(problem_, steps_, outer_, first, size);
    auto order = std::make_shared<NodeOrder>();
    order->node = node;
    order->cell_of.resize(to_size(size));
    std::iota(order->cell_of.begin(), order->cell_of.end(), Index{0});
    std::vector<char> mark(order->cell_of.size(), 0);
    divide(cells, order->cell_of, first, machine.node_level() + 1, mark);
    order->rank_of.resize(order->cell_of.size());
    for (std::size_t i = 0; i < order->cell_of.size(); ++i)
      order->rank_of[order->cell_of[i]] = static_cast<Index>(i);
    return order;
  }

  /// Deals `cells`, which get the ranks from `first` on, to the groups of `level` and of all deeper levels.
  void divide(const NodeGraph& cells, std::span<Index> part, Rank first, std::size_t level,
              std::vector<char>& mark) const {
    const Machine& machine = problem_.machine();
    if (level >= machine.levels().size() || machine.sizes(level).size() == machine.ranks()) return;
    const Runs& sizes = machine.sizes(level);
    const Count group = sizes.find(first), groups = sizes.find(first + count_of(part) - 1) - group + 1;
    if (groups == 1) return divide(cells, part, first, level + 1, mark);
    const auto count = to_size(sizes.start(group + groups / 2) - first);
    cut_in_two(cells, part, count, mark);
    divide(cells, part.first(count), first, level, mark);
    divide(cells, part.subspan(count), first + to_count(count), level, mark);
  }

  /// Reorders `part` so that its first `count` cells have the least to do with the others.
  static void cut_in_two(const NodeGraph& cells, std::span<Index> part, std::size_t count,
                         std::vector<char>& mark) {
    std::vector<Index> best(part.begin(), part.end()), next;
    Count best_cut = cells.cut(best, count, mark);
    for (std::size_t d = 0; d < 2 * cells.dimensions(); ++d) {
      next.assign(part.begin(), part.end());
      const std::size_t across = d / 2;
      const bool upwards = d % 2 == 0;  // which way to share a layer that belongs to both halves
      std::stable_sort(next.begin(), next.end(), [&](Index a, Index b) {
        if (cells.coordinate(a, across) != cells.coordinate(b, across))
          return cells.coordinate(a, across) < cells.coordinate(b, across);
        for (std::size_t e = 0; e < cells.dimensions(); ++e)
          if (cells.coordinate(a, e) != cells.coordinate(b, e))
            return (cells.coordinate(a, e) < cells.coordinate(b, e)) == upwards;
        return false;
      });
      const Count cut = cells.cut(next, count, mark);
      if (cut >= best_cut) continue;
      best_cut = cut;
      best = next;
    }
    std::copy(best.begin(), best.end(), part.begin());
  }

  Problem problem_;
  Steps steps_;
  Placement outer_;
  mutable std::vector<std::atomic<std::shared_ptr<const NodeOrder>>> cache_;
};

/// Is there a group inside a node that holds several ranks but not the whole node?
bool has_inner_levels(const Machine& machine) {
  for (std::size_t level = machine.node_level() + 1; level < machine.levels().size(); ++level)
    if (machine.sizes(level).size() > machine.nodes() && machine.sizes(level).size() < machine.ranks())
      return true;
  return false;
}

}  // namespace

Placement bisect_nodes(const Problem& problem, const Placement& placement) {
  require(placement.grid() == problem.grid(), "a placement on ", placement.grid().to_text(),
          " does not fit a problem on ", problem.grid().to_text());
  if (!has_inner_levels(problem.machine())) return placement;
  return {problem.grid(), std::make_shared<Bisected>(problem, placement)};
}

Placement place_inside_nodes(const Problem& problem, const Placement& placement) {
  if (!has_inner_levels(problem.machine())) return placement;
  Placement bisected = bisect_nodes(problem, placement);
  const Cost plain_cost = cost(problem, placement), bisected_cost = cost(problem, bisected);
  for (std::size_t level = problem.machine().node_level() + 1; level < plain_cost.levels.size(); ++level) {
    const Count plain = plain_cost.levels[level].total.bytes, cut = bisected_cost.levels[level].total.bytes;
    if (plain != cut) return plain < cut ? placement : bisected;
  }
  return placement;
}

}  // namespace halocline::place
