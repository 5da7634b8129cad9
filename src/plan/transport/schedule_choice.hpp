// SPDX-License-Identifier: BSD-3-Clause
// Which way blocks are sent between nodes: the one place that decides it.
#pragma once

#include "plan/options/option_names.hpp"
#include "plan/transport/rating.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halocline::plan {

/// All but `automatic`: direct, node, mixed, and then those of schedule::algorithms() that forward blocks.
[[nodiscard]] const std::vector<ScheduleChoice>& schedules();
/// Their names.
[[nodiscard]] std::vector<std::string> schedule_names();
/// Does it send the blocks of others on?
[[nodiscard]] bool combines(ScheduleChoice schedule);
/// Does a process speak for its node? Others hand it their blocks in shared memory.
[[nodiscard]] bool by_gateways(ScheduleChoice schedule);
/// Throws Error{invalid_argument} that lists them unless it is one of schedule_names().
void require_schedule_name(const std::string& name);

/// What a choice may be made from.
struct ScheduleMeans {
  bool shared = true;  ///< Processes of a node can share memory; without it nobody speaks for a node.
  bool even = true;    ///< A neighbour's block is as large in every process; others are not forwarded.
  /// The schedule of that name on the grid, which lives at least as long as this.
  std::function<const Schedule&(const std::string& name)> schedule;
};

struct ScheduleTime {
  ScheduleChoice schedule;
  Rating rating;
};

/// Every schedule that comes into question, in the order of schedules(): direct alone on one node, by
/// node only while what a node puts together takes at most 32 MiB, and what forwards blocks only where it can
/// be faster.
[[nodiscard]] std::vector<ScheduleTime> schedules_in_question(const Demand& demand, const LevelCosts& prices,
                                                              const ScheduleMeans& means);

/// The first, and so the simplest, that takes at most 5 % longer than the fastest: a model does not see less.
/// @pre there is one
[[nodiscard]] const ScheduleTime& fastest(const std::vector<ScheduleTime>& rated);

/// The rating of one of schedules().
[[nodiscard]] Rating rate(const Rater& rater, ScheduleChoice schedule, const LevelCosts& prices,
                          const ScheduleMeans& means);

/// The fastest() of those in question. Deterministic: processes that know the same choose the same.
[[nodiscard]] ScheduleChoice choose_schedule(const Demand& demand, const LevelCosts& prices,
                                             const ScheduleMeans& means);

}  // namespace halocline::plan
