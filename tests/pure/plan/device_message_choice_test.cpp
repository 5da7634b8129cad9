#include "plan/transport/device_message_choice.hpp"

#include <gtest/gtest.h>

namespace halocline::plan {
namespace {

TEST(DeviceMessageChoice, the_user_prevails_over_what_mpi_takes) {
  for (const bool taken : {false, true}) {
    EXPECT_EQ(packs_on_device(MessageMemory::automatic, taken), taken);
    EXPECT_FALSE(packs_on_device(MessageMemory::host, taken));
    EXPECT_TRUE(packs_on_device(MessageMemory::device, taken));
  }
}

TEST(DeviceMessageChoice, whoever_asks_for_other_messages_gets_them) {
  using enum ScheduleChoice;
  for (const ScheduleChoice asked : {automatic, direct}) {
    EXPECT_TRUE(may_pack_on_device(asked, true));
    EXPECT_FALSE(may_pack_on_device(asked, false));
  }
  for (const ScheduleChoice asked : {node, mixed, torus}) EXPECT_FALSE(may_pack_on_device(asked, true));
}

}  // namespace
}  // namespace halocline::plan
