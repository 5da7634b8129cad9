// SPDX-License-Identifier: BSD-3-Clause
// Streams over the grid layer by layer (dimension 0). For the layers within the stencil's reach it keeps the
// group of each cell; a step of the stencil then compares two rows, which the compiler turns into vectors.

#include "place/cost/cost.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "place/cost/cost_limits.hpp"
#include "place/cost/layers.hpp"
#include "place/cost/partial_cost.hpp"
#include "place/cost/steps_on_grid.hpp"

#include <algorithm>
#include <limits>

namespace halocline::place {
namespace {

/// Adds the weight of a step to every cell of a row whose neighbour is in another group.
template <class Word>
void add_row(const Word* self, const Word* other, Count cells, Word weight, Word* __restrict sums) {
  for (Count i = 0; i < cells; ++i) sums[i] = static_cast<Word>(sums[i] + (self[i] != other[i] ? weight : 0));
}

/// Adds up what the cells of one layer send out of their groups, at one level.
template <class Word>
class LayerSums {
 public:
  LayerSums(const Layers& layers, const Steps& steps, bool weighted) : layers_(layers), steps_(steps) {
    messages_.resize(to_size(layers.cells));
    bytes_.resize(to_size(weighted ? layers.cells : 0));
  }

  void compute(const LayerWindow<Word>& window, Count layer) {
    std::fill(messages_.begin(), messages_.end(), 0);
    std::fill(bytes_.begin(), bytes_.end(), 0);
    const Word* const self = window.layer(layer);
    for (const GridStep& step : steps_.list) {
      if (!layers_.exists(layer + step.offset[0])) continue;
      const Word* const other = window.layer(layer + step.offset[0]);
      for_each_row(layers_.grid, step.offset, [&](Count from, Count to, Count cells) {
        add_row(self + from, other + to, cells, static_cast<Word>(step.repeats), messages_.data() + from);
        if (!bytes_.empty())
          add_row(self + from, other + to, cells, static_cast<Word>(step.weight), bytes_.data() + from);
      });
    }
  }

  [[nodiscard]] Traffic of(Count cell) const {
    const auto i = to_index(cell);
    const auto messages = to_count(messages_[i]);
    return {messages, bytes_.empty() ? messages : to_count(bytes_[i])};
  }

 private:
  const Layers& layers_;
  const Steps& steps_;
  std::vector<Word> messages_, bytes_;
};

void raise(Traffic& largest, const Traffic& traffic) {
  largest.messages = std::max(largest.messages, traffic.messages);
  largest.bytes = std::max(largest.bytes, traffic.bytes);
}

void find_largest(LevelCost& level) {
  for (const Traffic& traffic : level.by_group) raise(level.largest, traffic);
}

/// Adds the cells from `begin` to `end` of a layer. Neighbours in a row tend to share their group, so each
/// run of them is added up first.
template <class Word>
void add_cells(const LayerSums<Word>& sums, const Word* groups, Count begin, Count end, LevelCost& level) {
  for (Count cell = begin; cell < end;) {
    const Word group = groups[cell];
    Traffic traffic = sums.of(cell);
    for (++cell; cell < end && groups[cell] == group; ++cell) traffic += sums.of(cell);
    level.total += traffic;
    if (level.by_group.empty())
      raise(level.largest, traffic);
    else
      level.by_group[to_index(group)] += traffic;
  }
}

constexpr Count no_limit = std::numeric_limits<Count>::max();

/// A level to be counted, and where the result goes.
struct CountedLevel {
  const Runs& sizes;
  LevelCost& cost;
};

/// Ends early once one group of the first level sends `limit` or more.
template <class Word>
void count_levels(const Problem& problem, const Steps& steps, const Placement& placement, Count first,
                  Count last, std::span<const CountedLevel> levels, Count limit) {
  const Layers layers(problem.grid(), steps.low, steps.high);
  std::vector<LayerWindow<Word>> windows;
  for (const CountedLevel& level : levels) windows.emplace_back(layers, level.sizes);
  LayerSums<Word> sums(layers, steps, !problem.stencil().unweighted());
  const auto add_batch = [&](Count batch_begin, Count batch_end) {
    for (Count layer = batch_begin; layer < batch_end; ++layer)
      for (std::size_t i = 0; i < levels.size(); ++i) {
        sums.compute(windows[i], layer);
        add_cells(sums, windows[i].layer(layer), std::max(first - layer * layers.cells, Count{0}),
                  std::min(last - layer * layers.cells, layers.cells), levels[i].cost);
      }
    if (limit == no_limit) return true;
    find_largest(levels.front().cost);
    return levels.front().cost.largest.bytes < limit;
  };
  for_each_batch<Word>(layers, placement, first / layers.cells, (last - 1) / layers.cells,
                       limit == no_limit ? layers.batch : layers.first_batch, windows, add_batch);
  for (const CountedLevel& level : levels) find_largest(level.cost);
}

/// Is there a cell from which no step leads out of the grid?
bool has_inner_cell(const Grid& grid, const Steps& steps) {
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    Count low = 0, high = 0;
    for (const GridStep& step : steps.list) {
      low = std::min(low, step.offset[d]);
      high = std::max(high, step.offset[d]);
    }
    if (!grid.periodic(d) && high - low >= grid.extents()[d]) return false;
  }
  return true;
}

/// Between single ranks every message counts, wherever they are. @pre has_inner_cell
void add_all_messages(const Grid& grid, const Steps& steps, LevelCost& level) {
  for (const GridStep& step : steps.list) {
    const Count messages = occurrences(grid, step.offset);
    level.total += {messages * step.repeats, messages * step.weight};
    level.largest += {step.repeats, step.weight};
  }
}

/// The cost of the cells [first, last) at the given levels; not all of it if a group of the first level sends
/// `limit` or more.
std::vector<LevelCost> level_costs(const Problem& problem, const Placement& placement, Count first,
                                   Count last, std::span<const std::size_t> levels, Count limit = no_limit) {
  const Grid& grid = problem.grid();
  const Machine& machine = problem.machine();
  require(placement.grid() == grid, "a placement on ", placement.grid().to_text(),
          " cannot be judged by a problem on ", grid.to_text());
  require(0 <= first && first <= last && last <= grid.size(), "cells ", first, " to ", last,
          " do not all lie in the grid ", grid.to_text());
  check_total(problem);

  const Steps steps = normalized_steps(grid, problem.stencil());
  const bool all_alike = first == 0 && last == grid.size() && has_inner_cell(grid, steps);
  std::vector<LevelCost> costs(levels.size());
  std::vector<CountedLevel> counted;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Runs& sizes = machine.sizes(levels[i]);
    const bool single_ranks = sizes.size() == machine.ranks();
    costs[i].name = machine.levels()[levels[i]].name;
    if (!single_ranks) costs[i].by_group.resize(to_size(sizes.size()));
    if (single_ranks && all_alike)
      add_all_messages(grid, steps, costs[i]);
    else
      counted.push_back({sizes, costs[i]});
  }
  if (first == last || counted.empty()) return costs;
  with_narrowest_word(problem, [&]<class Word>(Word) {
    count_levels<Word>(problem, steps, placement, first, last, counted, limit);
  });
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

Cost cost_given_node(const Problem& problem, const Placement& placement,
                     const std::optional<LevelCost>& node) {
  if (!node) return cost(problem, placement);
  const std::size_t node_level = problem.machine().node_level();
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < problem.machine().levels().size(); ++i)
    if (i != node_level) others.push_back(i);
  Cost result{level_costs(problem, placement, 0, problem.grid().size(), others), node_level};
  result.levels.insert(result.levels.begin() + to_count(node_level), *node);
  return result;
}

Count sum_between_ranks(const Problem& problem) {
  check_total(problem);
  Count sum = 0;
  for (const GridStep& step : normalized_steps(problem.grid(), problem.stencil()).list)
    sum += occurrences(problem.grid(), step.offset) * step.weight;
  return sum;
}

LevelCost node_cost(const Problem& problem, const Placement& placement) {
  const std::size_t level = problem.machine().node_level();
  return level_costs(problem, placement, 0, problem.grid().size(), {&level, 1}).front();
}

std::optional<LevelCost> node_cost_below(const Problem& problem, const Placement& placement, Count limit) {
  const std::size_t level = problem.machine().node_level();
  LevelCost cost = level_costs(problem, placement, 0, problem.grid().size(), {&level, 1}, limit).front();
  if (cost.largest.bytes >= limit) return std::nullopt;
  return cost;
}

}  // namespace halocline::place
