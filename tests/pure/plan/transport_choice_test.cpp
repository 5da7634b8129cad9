#include "plan/transport/transport_choice.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halocline::plan {
namespace {

constexpr Count kibibyte = 1024;

TEST(TransportChoice, memory_that_is_shared_is_used_and_long_blocks_that_are_seen_are_copied_once) {
  for (const Count bytes : {Count{1}, 32 * kibibyte, Count{1} << 40}) {
    EXPECT_EQ(choose_transport({false, false}, bytes), Transport::message) << bytes;
    EXPECT_EQ(choose_transport({true, false}, bytes), Transport::channel) << bytes;
  }
  EXPECT_EQ(choose_transport({true, true}, 32 * kibibyte - 1), Transport::channel);
  EXPECT_EQ(choose_transport({true, true}, 32 * kibibyte), Transport::straight);
  EXPECT_EQ(choose_transport({true, true}, 32 * kibibyte, 256), Transport::straight);
  EXPECT_EQ(choose_transport({true, true}, 32 * kibibyte, 257), Transport::channel);
}

TEST(TransportChoice, long_runs_of_memory_that_is_not_shared_are_read_by_the_receiver) {
  const Nearness readable{true, false, true};
  EXPECT_EQ(choose_transport(readable, 64 * kibibyte - 1), Transport::channel);
  EXPECT_EQ(choose_transport(readable, 64 * kibibyte), Transport::read);
  EXPECT_EQ(choose_transport(readable, 64 * kibibyte, 16), Transport::read);
  EXPECT_EQ(choose_transport(readable, 64 * kibibyte, 17), Transport::channel);
  EXPECT_EQ(choose_transport({false, false, true}, 64 * kibibyte), Transport::message);
  EXPECT_EQ(choose_transport({true, true, true}, 64 * kibibyte, 17), Transport::straight);
  EXPECT_EQ(choose_transport({true, true, true}, 64 * kibibyte, 1000), Transport::channel);
}

TEST(TransportChoice, channels_have_room_for_two_messages_up_to_16_chunks) {
  for (Count bytes = 1; bytes < Count{1} << 40; bytes = 3 * bytes + 1) {
    const Chunks chunks = choose_chunks(bytes);
    EXPECT_LE(chunks.bytes, 64 * kibibyte);
    EXPECT_GE(chunks.slots, 2);
    EXPECT_LE(chunks.slots, 16);
    if (chunks.slots < 16) {
      EXPECT_GE(chunks.bytes * chunks.slots, 2 * bytes) << bytes;
    }
  }
}

TEST(TransportChoice, long_blocks_are_not_put_together) {
  const Counts long_ones{16 * kibibyte, 100 * kibibyte}, one_short{16 * kibibyte, 16 * kibibyte - 1};
  EXPECT_TRUE(goes_block_by_block(long_ones));
  EXPECT_FALSE(goes_block_by_block(one_short));
  EXPECT_FALSE(goes_block_by_block(std::span(long_ones).first(1)));
}

TEST(TransportChoice, long_runs_go_from_where_they_lie) {
  EXPECT_TRUE(goes_in_place(32 * kibibyte, 1));
  EXPECT_FALSE(goes_in_place(32 * kibibyte - 1, 1));
  EXPECT_FALSE(goes_in_place(48 * kibibyte, 2));
  EXPECT_FALSE(goes_in_place(64 * kibibyte, 1));
}

TEST(TransportChoice, a_node_has_under_way_what_its_link_moves_in_a_moment) {
  const schedule::LinearCost gigabit{5e-6, 1 / 125e6};
  EXPECT_NEAR(static_cast<double>(choose_window(gigabit, 1)), 6.25e6, 1);
  EXPECT_EQ(choose_window(gigabit, 16), choose_window(gigabit, 1) / 16);
  EXPECT_EQ(choose_window({1, 1}, 100), 0);
  EXPECT_EQ(choose_window({1, 0}, 1), std::numeric_limits<Count>::max());
  EXPECT_EQ(choose_window({1, 1e-300}, 1), std::numeric_limits<Count>::max());
}

TEST(DeviceWay, goes_straight_where_all_allow_it_and_can) {
  EXPECT_EQ(choose_device_way({true, true, true}), DeviceWay::straight);
  EXPECT_EQ(choose_device_way({true, false, true}), DeviceWay::own);
  EXPECT_EQ(choose_device_way({true, true, false}), DeviceWay::own);
  EXPECT_EQ(choose_device_way({false, true, true}), DeviceWay::staged);
}

}  // namespace
}  // namespace halocline::plan
