// SPDX-License-Identifier: BSD-3-Clause
#include "plan/transport/allowed_schedule.hpp"

#include "plan/transport/schedule_choice.hpp"
#include "schedule/by_node.hpp"

namespace halocline::plan {

bool is_possible(ScheduleChoice schedule, const ScheduleGround& ground) {
  if (schedule == ScheduleChoice::direct) return true;
  if (ground.on_device) return false;
  return combines(schedule) ? ground.even : ground.shared && ground.several_nodes;
}

std::vector<ScheduleChoice> schedules_on(const ScheduleGround& ground) {
  if (!ground.several_nodes) return {ScheduleChoice::direct};
  std::vector<ScheduleChoice> possible = schedules();
  std::erase_if(possible, [&](ScheduleChoice schedule) { return !is_possible(schedule, ground); });
  return possible;
}

ScheduleChoice allowed_schedule(ScheduleChoice asked, const ScheduleGround& ground) {
  if (ground.on_device) return ScheduleChoice::direct;
  if (asked == ScheduleChoice::automatic || is_possible(asked, ground)) return asked;
  return combines(asked) ? ScheduleChoice::automatic : ScheduleChoice::direct;
}

Count longest_together(ScheduleChoice schedule, const LevelCosts& prices) {
  return schedule == ScheduleChoice::mixed ? schedule::longest_by_node(prices) : Rater::any_length;
}

}  // namespace halocline::plan
