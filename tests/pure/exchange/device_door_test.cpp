// Who drives a round on the other side of a door: hosts and streams take turns, and streams run ahead.

#include "exchange/memory/device_door.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace halocline::exchange {
namespace {

using Driver = DeviceDoor::Driver;
using RoundNumber = DeviceDoor::RoundNumber;

class Doors : public testing::Test {
 protected:
  static constexpr std::size_t writers = 3;
  Doors() {
    const Channel channel(reinterpret_cast<std::byte*>(memory_.get()), DeviceDoor::shape(writers));
    channel.initialize();
    door = DeviceDoor(channel);
  }

 private:
  std::unique_ptr<Counter[]> memory_ = std::make_unique<Counter[]>(
      static_cast<std::size_t>(DeviceDoor::shape(writers).bytes()) / sizeof(Counter));

 protected:
  DeviceDoor door{Channel{}};
};

TEST_F(Doors, are_closed_at_first) {
  EXPECT_EQ(door.opened(0), std::nullopt);
  for (int writer = 0; writer < 3; ++writer) EXPECT_EQ(door.filled(writer, 0), std::nullopt);
}

TEST_F(Doors, tell_who_opens_a_round) {
  for (RoundNumber round = 0; round < 20; ++round) {
    const Driver driver = round % 3 == 0 ? Driver::host : Driver::stream;
    EXPECT_EQ(door.opened(round), std::nullopt);
    door.open(driver, round);
    EXPECT_EQ(door.opened(round), driver);
    EXPECT_EQ(door.opened(round + 1), std::nullopt);
  }
}

TEST_F(Doors, tell_who_fills_for_each_writer) {
  for (RoundNumber round = 0; round < 20; ++round)
    for (int writer = 0; writer < 3; ++writer) {
      const Driver driver =
          (round + static_cast<RoundNumber>(writer)) % 2 == 0 ? Driver::host : Driver::stream;
      EXPECT_EQ(door.filled(writer, round), std::nullopt);
      door.fill(writer, driver, round);
      EXPECT_EQ(door.filled(writer, round), driver);
    }
}

TEST_F(Doors, remember_one_change_behind_the_round_that_is_looked_for) {
  door.open(Driver::host, 4);
  door.fill(1, Driver::host, 4);
  for (RoundNumber ahead = 5; ahead < 9; ++ahead) {
    door.open(Driver::stream, ahead);
    door.fill(1, Driver::stream, ahead);
  }
  EXPECT_EQ(door.opened(4), Driver::host);
  EXPECT_EQ(door.filled(1, 4), Driver::host);
  for (RoundNumber ahead = 5; ahead < 9; ++ahead) {
    EXPECT_EQ(door.opened(ahead), Driver::stream);
    EXPECT_EQ(door.filled(1, ahead), Driver::stream);
    EXPECT_EQ(door.filled(0, ahead), std::nullopt);
  }
  EXPECT_EQ(door.opened(9), std::nullopt);
}

}  // namespace
}  // namespace halocline::exchange
