// SPDX-License-Identifier: BSD-3-Clause
// The dynamic program behind optimal strips, for one order of the dimensions.
#pragma once

#include "base/numbers.hpp"
#include "place/optimal_strips/kept_weight.hpp"
#include "place/optimal_strips/node_line.hpp"
#include "place/optimal_strips/strip_walk.hpp"
#include "place/optimal_strips/strip_widths.hpp"
#include "place/problem/problem.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace halocline::place {

/// The best plan found, and what it costs by the model. The model is exact as long as no node reaches into a
/// third strip or around the grid and the links are symmetric; otherwise it is close.
struct PlannedStrips {
  StripPlan plan;
  double cost = 0;
  bool exact = false;
  std::optional<Count> maximum_at_most = std::nullopt;  ///< J_max is not larger; known for large grids.

  /// J_sum, if the model is exact and so is the number.
  [[nodiscard]] std::optional<Count> known_sum() const {
    constexpr double largest_whole_number = 9007199254740992;
    if (!exact || cost >= largest_whole_number) return std::nullopt;
    return static_cast<Count>(cost);
  }
};

/// Plans for one order of the dimensions, one after the other for different kinds of rows and orders of the
/// nodes: what they have in common is worked out once. Levels are cut in the given order, rows run along its
/// last dimension. Every node keeps its size. There always is a plan.
class StripPlanner {
 public:
  /// For nodes of these sizes (NodeLine::sizes). Tries the widths in `range`, and more if there is no plan.
  /// @pre problem and steps outlive the planner
  StripPlanner(const Problem& problem, const Steps& steps, const Counts& sizes,
               std::vector<std::size_t> order, const WidthRange& range);
  ~StripPlanner();
  StripPlanner(const StripPlanner&) = delete;
  StripPlanner& operator=(const StripPlanner&) = delete;

  /// Cheapest where calls that differ in `nodes` alone follow each other.
  [[nodiscard]] PlannedStrips plan(const Rows& rows, const NodeLine& nodes);
  /// The same; none if it takes more than about `most` steps, of some nanoseconds each. They are counted, so
  /// that all processes decide the same. Takes those that it took off from it.
  [[nodiscard]] std::optional<PlannedStrips> plan_within(double& most, const Rows& rows,
                                                         const NodeLine& nodes);

  /// About how many steps a plan takes at most; with even nodes it is often much less.
  [[nodiscard]] double work() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace halocline::place
