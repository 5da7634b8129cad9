// SPDX-License-Identifier: BSD-3-Clause
// What a placed grid and a schedule cost: exact traffic of all processes, and the time by the linear model.
#pragma once

#include "halocline/plan/plan.hpp"
#include "plan/messages/alike_nodes.hpp"
#include "plan/transport/schedule_choice.hpp"

#include <map>
#include <memory>
#include <string>

namespace halocline::plan {

/// A grid, placed: what all schedules are rated on.
struct Placed {
  const Problem& problem;  ///< As ready() leaves it.
  const Placement& placement;
  Decomposition decomposition;
  NodeOfCell node_of_cell;

  Placed(const Problem& given, const Placement& chosen);
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;
  ~Placed() = default;
  [[nodiscard]] BlockSizes sizes() const;

  /// As choose_schedule() wants to know it. Lives as long as this object.
  [[nodiscard]] Demand demand() const;
  [[nodiscard]] ScheduleMeans means(bool shared = true) const;
  [[nodiscard]] Operation operation() const { return problem.blocks.value_or(Operation::alltoall); }
  /// The schedule of that name on the grid, made when it is first asked for.
  [[nodiscard]] const Schedule& schedule(const std::string& name) const;

  /// The cells of each node, made when they are first asked for.
  [[nodiscard]] const NodeCells& cells() const;
  /// What processes see that look at these cells around them, and which nodes then are alike; found out when
  /// it is first asked for.
  struct Sight {
    View view;
    std::vector<NodeKind> kinds;
  };
  [[nodiscard]] const Sight& sight(const std::vector<Offset>& looked_at) const;

 private:
  mutable std::map<std::string, Schedule> schedules_;
  mutable std::unique_ptr<NodeCells> cells_;
  mutable std::map<std::vector<Offset>, Sight> sights_;
};

/// Lives as long as both.
[[nodiscard]] BlockSizes sizes_of(const Problem& problem, const Decomposition& decomposition);

/// The node of each cell, row by row.
[[nodiscard]] NodeOfCell nodes_of(const Machine& machine, const Placement& placement);

/// Throws Error{invalid_argument} for prices that are negative, or a schedule that there is not.
void check_choices(const Choices& choices);

/// Checks a problem and completes it: halo widths for all dimensions, and no offsets that send nothing.
[[nodiscard]] Problem ready(const Problem& problem);

/// A process can only fill its neighbour's halo with what it owns: throws Error{invalid_dimensions} where one
/// owns less.
void require_wide_shares(const Decomposition& decomposition, const Counts& halo);

/// Throws Error{unsupported} for a schedule that forwards blocks where they differ in size.
void require_schedule_fits(const BlockSizes& sizes, ScheduleChoice schedule);

/// Every block by itself, as programs do: one message for each neighbour and direction.
[[nodiscard]] Prediction predict_plain(const Placed& placed, const LevelCosts& prices);

/// One of schedules(), or those that were rated.
[[nodiscard]] Prediction predict(const Placed& placed, ScheduleChoice schedule, const LevelCosts& prices);
[[nodiscard]] std::vector<Prediction> predict(const Placed& placed, const std::vector<ScheduleTime>& rated,
                                              const LevelCosts& prices);

}  // namespace halocline::plan
