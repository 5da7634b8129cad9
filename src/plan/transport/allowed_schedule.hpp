// SPDX-License-Identifier: BSD-3-Clause
// Which schedules an exchange can have at all, before anybody asks which is fastest.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/plan/option_types.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <vector>

namespace halocline::plan {

/// What an exchange has that schedules need.
struct ScheduleGround {
  bool shared = true;         ///< Processes of a node share memory; without it nobody speaks for a node.
  bool even = true;           ///< A neighbour's block is as large in every process; others are not forwarded.
  bool several_nodes = true;  ///< Otherwise there is nobody to speak to for a node.
  bool on_device = false;     ///< Messages are packed in memory of a device, which MPI alone reaches.
};

/// Can an exchange on that ground have the schedule, one of schedules()?
[[nodiscard]] bool is_possible(ScheduleChoice schedule, const ScheduleGround& ground);

/// Those of schedules() that come into question there, in that order: on one node there is nothing to compare
/// with direct messages.
[[nodiscard]] std::vector<ScheduleChoice> schedules_on(const ScheduleGround& ground);

/// What takes the place of a schedule that somebody asks for: itself if it is possible; else `automatic`,
/// which leaves it to choose_schedule(), where it would forward blocks that cannot be; else `direct`.
/// `automatic` stays, but for messages of devices, where nothing is to be chosen.
[[nodiscard]] ScheduleChoice allowed_schedule(ScheduleChoice asked, const ScheduleGround& ground);

/// The longest message between two processes that goes with those of their nodes by that schedule; any, but
/// for `mixed`. Throws as schedule::longest_by_node().
[[nodiscard]] Count longest_together(ScheduleChoice schedule, const LevelCosts& prices);

}  // namespace halocline::plan
