#include "plan/transport/allowed_schedule.hpp"

#include "plan/transport/schedule_choice.hpp"
#include "schedule/by_node.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace halocline::plan {
namespace {

using enum ScheduleChoice;

std::vector<ScheduleGround> all_grounds() {
  std::vector<ScheduleGround> all;
  for (int bits = 0; bits < 16; ++bits)
    all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0});
  return all;
}

TEST(AllowedSchedule, everything_is_possible_where_everything_is_there) {
  for (const ScheduleChoice schedule : schedules()) {
    EXPECT_TRUE(is_possible(schedule, {})) << name_of(schedule);
    EXPECT_EQ(allowed_schedule(schedule, {}), schedule);
  }
}

TEST(AllowedSchedule, what_is_allowed_is_possible_or_left_to_the_plan) {
  for (const ScheduleGround& ground : all_grounds())
    for (const ScheduleChoice schedule : schedules()) {
      const ScheduleChoice allowed = allowed_schedule(schedule, ground);
      EXPECT_TRUE(allowed == automatic || is_possible(allowed, ground)) << name_of(schedule);
      if (is_possible(schedule, ground)) {
        EXPECT_EQ(allowed, schedule);
      }
    }
}

TEST(AllowedSchedule, in_question_is_what_is_possible_but_on_one_node) {
  using Schedules = std::vector<ScheduleChoice>;
  EXPECT_EQ(schedules_on({}), schedules());
  EXPECT_EQ(schedules_on({.shared = false, .even = false}), Schedules{direct});
  EXPECT_EQ(schedules_on({.even = false}), (Schedules{direct, node, mixed}));
  EXPECT_EQ(schedules_on({.several_nodes = false}), Schedules{direct});
}

TEST(AllowedSchedule, nobody_speaks_for_a_node_without_memory_or_other_nodes) {
  for (const ScheduleChoice schedule : {node, mixed}) {
    EXPECT_EQ(allowed_schedule(schedule, {.shared = false}), direct);
    EXPECT_EQ(allowed_schedule(schedule, {.several_nodes = false}), direct);
    EXPECT_EQ(allowed_schedule(schedule, {.even = false}), schedule);
  }
}

TEST(AllowedSchedule, blocks_of_different_sizes_are_not_forwarded) {
  EXPECT_EQ(allowed_schedule(torus, {.even = false}), automatic);
  EXPECT_EQ(allowed_schedule(torus, {.shared = false, .several_nodes = false}), torus);
}

TEST(AllowedSchedule, messages_of_devices_go_directly) {
  for (const ScheduleChoice schedule : {automatic, direct, node, mixed, torus, basis})
    EXPECT_EQ(allowed_schedule(schedule, {.on_device = true}), direct);
}

TEST(AllowedSchedule, only_mixed_sends_long_messages_alone) {
  for (const ScheduleChoice schedule : schedules())
    EXPECT_EQ(longest_together(schedule, {}),
              schedule == mixed ? schedule::longest_by_node({}) : std::numeric_limits<Count>::max());
}

}  // namespace
}  // namespace halocline::plan
