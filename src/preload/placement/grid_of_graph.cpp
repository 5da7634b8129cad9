// SPDX-License-Identifier: BSD-3-Clause
#include "preload/placement/grid_of_graph.hpp"

#include "base/factorization.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace halocline::preload {
namespace {

constexpr std::size_t most_dimensions = 6, most_targets = 1024;
constexpr int most_trials = 50'000;

/// Edges along one offset.
struct Edges {
  Count at_each = 0;  ///< Of a vertex from which the offset stays in the grid.
  Count total = 0;
  double weight = 0;
};

/// One grid, held against the vertices one after the other.
class Trial {
 public:
  explicit Trial(Grid grid) : grid_(std::move(grid)) {}

  /// False once it is known that the graph does not fit.
  bool add(const TaskGraph& graph, std::size_t v) {
    const Cell cell = grid_.cell(to_count(v));
    std::map<Offset, Edges> here;
    const auto targets = graph.targets_of(v);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      Edges& edges = here[offset(cell, grid_.cell(targets[i]))];
      ++edges.at_each;
      edges.weight += to_double(graph.weights_of(v)[i]);
    }
    for (const auto& [offset, edges] : known_) {
      const auto found = here.find(offset);
      const Count count = found == here.end() ? 0 : found->second.at_each;
      if (count != (grid_.neighbor(cell, offset) ? edges.at_each : 0)) return false;
    }
    for (const auto& [offset, edges] : here) {
      // One that is new here cannot have been possible one cell before. That ends most wrong grids early; the
      // sums at the end are what decides.
      Edges& all = known_[offset];
      if (all.total == 0 && v > 0 && grid_.neighbor(before_, offset)) return false;
      all.at_each = edges.at_each;
      all.total += edges.at_each;
      all.weight += edges.weight;
    }
    before_ = cell;
    return true;
  }

  /// Does every vertex have every offset that it can have? @pre all were added
  [[nodiscard]] bool fits() const {
    return !known_.empty() && std::all_of(known_.begin(), known_.end(), [&](const auto& entry) {
      Count possible = entry.second.at_each;
      for (std::size_t d = 0; d < grid_.dimensions(); ++d)
        possible *= grid_.extents()[d] - (grid_.periodic(d) ? 0 : std::abs(entry.first[d]));
      return entry.second.total == possible;
    });
  }

  [[nodiscard]] GridOfGraph result() const {
    std::vector<Offset> offsets;
    Counts weights;
    for (const auto& [offset, edges] : known_)
      for (Count i = 0; i < edges.at_each; ++i) {
        offsets.push_back(offset);
        weights.push_back(std::max<Count>(1, std::llround(edges.weight / to_double(edges.total))));
      }
    return {grid_, Stencil(std::move(offsets), std::move(weights))};
  }

 private:
  /// Around a periodic dimension the shorter way.
  [[nodiscard]] Offset offset(const Cell& from, const Cell& to) const {
    Offset steps(from.size());
    for (std::size_t d = 0; d < steps.size(); ++d) {
      const Count extent = grid_.extents()[d];
      steps[d] = to[d] - from[d];
      if (!grid_.periodic(d)) continue;
      steps[d] = floor_modulo(steps[d], extent);
      if (2 * steps[d] > extent) steps[d] -= extent;
    }
    return steps;
  }

  Grid grid_;
  std::map<Offset, Edges> known_;
  Cell before_;
};

class Search {
 public:
  explicit Search(const TaskGraph& graph) : graph_(graph) {}

  /// Tries all grids whose first extents are `extents` and that have so many dimensions more.
  std::optional<GridOfGraph> try_grids(Counts& extents, Count vertices, std::size_t dimensions) {
    if (dimensions == 1) {
      extents.push_back(vertices);
      auto found = try_periodicities(extents);
      extents.pop_back();
      return found;
    }
    for (const Count extent : divisors(vertices)) {
      if (extent == 1 || extent == vertices) continue;
      extents.push_back(extent);
      auto found = try_grids(extents, vertices / extent, dimensions - 1);
      extents.pop_back();
      if (found || exhausted()) return found;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool exhausted() const { return trials_ >= most_trials; }

 private:
  /// An edge around a periodic dimension is also one far across an open dimension: the fewest offsets tell
  /// what is meant.
  std::optional<GridOfGraph> try_periodicities(const Counts& extents) {
    std::optional<GridOfGraph> best;
    for (unsigned mask = 0; mask < 1U << extents.size(); ++mask, ++trials_) {
      Periodicity periodic(extents.size());
      for (std::size_t d = 0; d < extents.size(); ++d) periodic[d] = (mask >> d & 1U) != 0;
      Trial trial(Grid(extents, periodic));
      std::size_t v = 0;
      while (v < graph_.vertices() && trial.add(graph_, v)) ++v;
      if (v < graph_.vertices() || !trial.fits()) continue;
      GridOfGraph fitting = trial.result();
      if (!best || fitting.stencil.size() < best->stencil.size()) best = std::move(fitting);
    }
    return best;
  }

  const TaskGraph& graph_;
  int trials_ = 0;
};

}  // namespace

std::optional<GridOfGraph> grid_of(const TaskGraph& graph) {
  const std::size_t vertices = graph.vertices();
  if (vertices < 2) return std::nullopt;
  for (std::size_t v = 0; v < vertices; ++v)
    if (graph.targets_of(v).size() > most_targets) return std::nullopt;
  Search search(graph);
  Counts extents;
  for (std::size_t dimensions = 1; dimensions <= most_dimensions && !search.exhausted(); ++dimensions)
    if (auto found = search.try_grids(extents, to_count(vertices), dimensions)) return found;
  return std::nullopt;
}

}  // namespace halocline::preload
