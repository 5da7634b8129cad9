// Streams over the grid layer by layer (dimension 0). For the layers within the stencil's reach it keeps the
// group of each cell; a step of the stencil then compares two rows, which the compiler turns into vectors.

#include "halocline/place/cost.hpp"

#include "base/integers.hpp"
#include "halocline/base/error.hpp"
#include "place/cost_within.hpp"
#include "place/steps.hpp"

#include <algorithm>
#include <limits>

namespace halocline::place {
namespace {

/// From ranks to groups of one level: Runs::find, with the division alone where groups are even.
class GroupOf {
 public:
  explicit GroupOf(const Runs& sizes) : sizes_(sizes), even_(sizes.uniform() ? sizes[0] : 0) {}

  void operator()(std::span<const Rank> ranks, std::span<Count> groups) const {
    if (even_ == 1) {
      std::copy(ranks.begin(), ranks.end(), groups.begin());
    } else if (even_ > 0 && !ranks.empty() && even_ < small && sizes_.total() < small) {
      const auto size = static_cast<std::uint32_t>(even_);  // half the time of a wide division
      for (std::size_t i = 0; i < ranks.size(); ++i) groups[i] = static_cast<std::uint32_t>(ranks[i]) / size;
    } else if (even_ > 0) {
      for (std::size_t i = 0; i < ranks.size(); ++i) groups[i] = ranks[i] / even_;
    } else {
      for (std::size_t i = 0; i < ranks.size(); ++i) groups[i] = sizes_.find(ranks[i]);
    }
  }

 private:
  static constexpr Count small = Count{1} << 32;
  const Runs& sizes_;
  Count even_;
};

/// The groups of the cells of the layers around the current one, for one level.
class Window {
 public:
  Window(const Steps& steps, Count layer_cells)
      : low_(steps.low), depth_(steps.high - steps.low + 1), layer_cells_(layer_cells) {
    groups_.resize(static_cast<std::size_t>(checked_multiply(depth_, layer_cells)));
  }

  [[nodiscard]] Count* layer(Count position) {
    return groups_.data() + floor_modulo(position - low_, depth_) * layer_cells_;
  }

 private:
  Count low_, depth_, layer_cells_;
  Counts groups_;
};

/// Adds the weight of a step to every cell of a row whose neighbour is in another group.
void add_row(const Count* self, const Count* other, Count cells, Count weight, Count* sums) {
  for (Count i = 0; i < cells; ++i) sums[i] += self[i] != other[i] ? weight : 0;
}

/// Adds up what the cells of one layer send out of their groups, at one level.
class LayerSums {
 public:
  LayerSums(const Grid& grid, const Steps& steps, bool weighted)
      : grid_(grid), steps_(steps), weighted_(weighted) {
    layer_cells_ = grid.size() / grid.extents()[0];
    messages_.resize(static_cast<std::size_t>(layer_cells_));
    bytes_.resize(static_cast<std::size_t>(weighted ? layer_cells_ : 0));
  }

  void compute(Window& window, Count layer) {
    std::fill(messages_.begin(), messages_.end(), 0);
    std::fill(bytes_.begin(), bytes_.end(), 0);
    const Count* self = window.layer(layer);
    for (const Step& step : steps_.list) {
      const Count target = layer + step.offset[0];
      if (!grid_.periodic(0) && (target < 0 || target >= grid_.extents()[0])) continue;
      add_dimension(1, self, window.layer(target), step, 0, 0);
    }
  }

  [[nodiscard]] Traffic of(Count cell) const {
    const auto i = static_cast<std::size_t>(cell);
    return {messages_[i], weighted_ ? bytes_[i] : messages_[i]};
  }

 private:
  /// Steps through the dimensions from `d` on; the first cells of what is left are number `from` and `to`.
  void add_dimension(std::size_t d, const Count* self, const Count* other, const Step& step, Count from,
                     Count to) {
    if (d == grid_.dimensions()) return add(self, other, step, from, to, 1);
    const Count extent = grid_.extents()[d], shift = step.offset[d];
    const Count inner_first = std::max(Count{0}, -shift), inner_last = std::min(extent, extent - shift);
    add_span(d, self, other, step, from, to, inner_first, inner_last, shift);
    if (!grid_.periodic(d)) return;
    add_span(d, self, other, step, from, to, 0, inner_first, shift + extent);
    add_span(d, self, other, step, from, to, inner_last, extent, shift - extent);
  }

  void add_span(std::size_t d, const Count* self, const Count* other, const Step& step, Count from, Count to,
                Count first, Count last, Count shift) {
    if (first >= last) return;
    const Count extent = grid_.extents()[d];
    if (d + 1 == grid_.dimensions())
      return add(self, other, step, from * extent + first, to * extent + first + shift, last - first);
    for (Count x = first; x < last; ++x)
      add_dimension(d + 1, self, other, step, from * extent + x, to * extent + x + shift);
  }

  void add(const Count* self, const Count* other, const Step& step, Count from, Count to, Count cells) {
    add_row(self + from, other + to, cells, step.repeats, messages_.data() + from);
    if (weighted_) add_row(self + from, other + to, cells, step.weight, bytes_.data() + from);
  }

  const Grid& grid_;
  const Steps& steps_;
  bool weighted_;
  Count layer_cells_;
  Counts messages_, bytes_;
};

void raise(Traffic& largest, const Traffic& traffic) {
  largest.messages = std::max(largest.messages, traffic.messages);
  largest.bytes = std::max(largest.bytes, traffic.bytes);
}

void find_largest(LevelCost& level) {
  for (const Traffic& traffic : level.by_group) raise(level.largest, traffic);
}

/// Throws unless every message of the whole grid together fits in 64 bits; then no partial sum overflows.
void check_total(const Problem& problem) {
  Count weight = 0;
  for (const Count w : problem.stencil().weights()) weight = checked_add(weight, w);
  (void)checked_multiply(weight, problem.grid().size());
}

/// The cost of the cells [first, last) at the given levels; ends early once the first level's exceeds
/// `limit`.
std::vector<LevelCost> level_costs(const Problem& problem, const Placement& placement, Count first,
                                   Count last, std::span<const std::size_t> levels,
                                   Count limit = std::numeric_limits<Count>::max()) {
  const Grid& grid = problem.grid();
  const Machine& machine = problem.machine();
  require(placement.grid() == grid, "a placement on ", placement.grid().to_text(),
          " cannot be judged by a problem on ", grid.to_text());
  require(0 <= first && first <= last && last <= grid.size(), "cells ", first, " to ", last,
          " do not all lie in the grid ", grid.to_text());
  check_total(problem);

  const Steps steps = normalized_steps(grid, problem.stencil());
  const Count layers = grid.extents()[0], layer_cells = grid.size() / layers;
  std::vector<LevelCost> costs;
  std::vector<Window> windows;
  std::vector<GroupOf> group_of;
  for (const std::size_t level : levels) {
    const Runs& sizes = machine.sizes(level);
    const bool single_ranks = sizes.size() == machine.ranks();
    costs.push_back({machine.levels()[level].name,
                     {},
                     {},
                     std::vector<Traffic>(static_cast<std::size_t>(single_ranks ? 0 : sizes.size()))});
    windows.emplace_back(steps, layer_cells);
    group_of.emplace_back(sizes);
  }
  if (first == last) return costs;

  std::vector<Rank> ranks(static_cast<std::size_t>(layer_cells));
  const auto load = [&](Count position) {
    if (!grid.periodic(0) && (position < 0 || position >= layers)) return;
    placement.ranks(floor_modulo(position, layers) * layer_cells, ranks);
    for (std::size_t i = 0; i < levels.size(); ++i)
      group_of[i](ranks, {windows[i].layer(position), static_cast<std::size_t>(layer_cells)});
  };

  LayerSums sums(grid, steps, !problem.stencil().unweighted());
  const Count first_layer = first / layer_cells, last_layer = (last - 1) / layer_cells;
  for (Count position = first_layer + steps.low; position < first_layer + steps.high; ++position)
    load(position);
  for (Count layer = first_layer; layer <= last_layer; ++layer) {
    load(layer + steps.high);
    const Count begin = std::max(first - layer * layer_cells, Count{0});
    const Count end = std::min(last - layer * layer_cells, layer_cells);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      sums.compute(windows[i], layer);
      const Count* groups = windows[i].layer(layer);
      for (Count cell = begin; cell < end; ++cell) {
        const Traffic traffic = sums.of(cell);
        costs[i].total += traffic;
        if (costs[i].by_group.empty())
          raise(costs[i].largest, traffic);
        else
          costs[i].by_group[static_cast<std::size_t>(groups[cell])] += traffic;
      }
    }
    if (costs.front().total.bytes > limit) break;
  }
  for (LevelCost& level : costs) find_largest(level);
  return costs;
}

}  // namespace

void Cost::merge(const Cost& other) {
  require(levels.size() == other.levels.size(), "costs of ", levels.size(), " and of ", other.levels.size(),
          " levels cannot be added");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    LevelCost& mine = levels[i];
    const LevelCost& theirs = other.levels[i];
    require(mine.name == theirs.name && mine.by_group.size() == theirs.by_group.size(),
            "costs of different machines cannot be added");
    mine.total += theirs.total;
    raise(mine.largest, theirs.largest);
    for (std::size_t g = 0; g < mine.by_group.size(); ++g) mine.by_group[g] += theirs.by_group[g];
    find_largest(mine);
  }
}

Cost cost(const Problem& problem, const Placement& placement) {
  return cost(problem, placement, 0, problem.grid().size());
}

Cost cost(const Problem& problem, const Placement& placement, Count first, Count last) {
  std::vector<std::size_t> levels(problem.machine().levels().size());
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = i;
  return {level_costs(problem, placement, first, last, levels), problem.machine().node_level()};
}

LevelCost node_cost(const Problem& problem, const Placement& placement) {
  const std::size_t level = problem.machine().node_level();
  return level_costs(problem, placement, 0, problem.grid().size(), {&level, 1}).front();
}

std::optional<LevelCost> node_cost_within(const Problem& problem, const Placement& placement, Count limit) {
  const std::size_t level = problem.machine().node_level();
  LevelCost cost = level_costs(problem, placement, 0, problem.grid().size(), {&level, 1}, limit).front();
  if (cost.total.bytes > limit) return std::nullopt;
  return cost;
}

}  // namespace halocline::place
