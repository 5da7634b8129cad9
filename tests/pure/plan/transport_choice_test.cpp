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
  const auto way = [](bool alike, bool may, DeviceReach reach) {
    return choose_device_way({alike, may, reach, false}).way;
  };
  EXPECT_EQ(way(true, true, DeviceReach::fields), DeviceWay::straight);
  EXPECT_EQ(way(true, true, DeviceReach::buffers), DeviceWay::buffered);
  EXPECT_EQ(way(true, true, DeviceReach::none), DeviceWay::own);
  EXPECT_EQ(way(true, false, DeviceReach::fields), DeviceWay::own);
  EXPECT_EQ(way(false, true, DeviceReach::fields), DeviceWay::staged);
  for (const Count bytes : {Count{0}, Count{1}, Count{1} << 20, Count{1} << 40})
    for (const DeviceReach reach : {DeviceReach::fields, DeviceReach::buffers})
      EXPECT_NE(choose_device_way({true, true, reach, false, bytes}).way, DeviceWay::own) << bytes;
}

TEST(DeviceWay, has_messages_on_the_device_where_mpi_takes_them) {
  for (const DeviceReach reach : {DeviceReach::none, DeviceReach::buffers, DeviceReach::fields}) {
    EXPECT_TRUE(choose_device_way({true, true, reach, true}).messages_on_device);
    EXPECT_FALSE(choose_device_way({true, true, reach, false}).messages_on_device);
    EXPECT_FALSE(choose_device_way({false, true, reach, true}).messages_on_device);
  }
}

TEST(DeviceWay, says_which_it_is) {
  EXPECT_EQ(
      (DeviceChoice{DeviceWay::straight, true}.to_text()),
      "Fields on devices go straight to processes of the node, else in messages from memory of the device.");
  EXPECT_EQ(
      (DeviceChoice{DeviceWay::buffered, false}.to_text()),
      "Fields on devices go to processes of the node through buffers on their devices, else in messages "
      "through memory of the host.");
  EXPECT_EQ((DeviceChoice{DeviceWay::own, false}.to_text()),
            "Fields on devices go in messages through memory of the host.");
}

TEST(DeviceWay, goes_through_the_host_where_that_was_measured_to_be_clearly_faster) {
  LevelCosts measured;
  measured.on_node = {0, 1e-9, 0};
  measured.levels.set("device", {1e-5, 1e-8, 1e-5});
  measured.levels.set("device-host", {2e-5, 1e-9, 2e-5});
  const auto way = [&](Count bytes, DeviceReach reach = DeviceReach::fields) {
    return choose_device_way({true, true, reach, false, bytes}, measured).way;
  };
  EXPECT_EQ(way(0), DeviceWay::straight);
  // 20 us + 10 ns a byte beside 40 us + 2 ns a byte: alike at 2500 bytes, and 5 % apart at 2800.
  EXPECT_EQ(way(2700), DeviceWay::straight);
  EXPECT_EQ(way(2900), DeviceWay::own);
  EXPECT_EQ(choose_device_way({false, true, DeviceReach::fields, false, 1 << 20}, measured).way,
            DeviceWay::staged);
  // Through buffers, 40 us + 20 ns a byte: clearly slower from 130 bytes on beside 40 us + 2 ns.
  EXPECT_EQ(way(0, DeviceReach::buffers), DeviceWay::buffered);
  EXPECT_EQ(way(200, DeviceReach::buffers), DeviceWay::own);
}

TEST(DeviceWay, has_a_price_of_its_own_between_devices) {
  LevelCosts measured;
  measured.on_node = {0, 1e-9, 0};
  measured.levels.set("device", {1e-5, 1e-12, 1e-5});
  measured.levels.set("device-link", {1e-5, 1e-8, 1e-5});
  measured.levels.set("device-host", {2e-5, 1e-9, 2e-5});
  const auto way = [&](bool linked, Count bytes, DeviceReach reach = DeviceReach::fields) {
    return choose_device_way({true, true, reach, false, bytes, linked}, measured).way;
  };
  EXPECT_EQ(way(false, 1 << 20), DeviceWay::straight);
  EXPECT_EQ(way(true, 1 << 20), DeviceWay::own);
  EXPECT_EQ(way(true, 1000), DeviceWay::straight);
  // Over the link, and from the buffer on the same device: 40 us and 10 ns a byte beside 40 us and 2 ns.
  EXPECT_EQ(way(true, 100, DeviceReach::buffers), DeviceWay::buffered);
  EXPECT_EQ(way(true, 1000, DeviceReach::buffers), DeviceWay::own);
  EXPECT_EQ(way(false, 1 << 20, DeviceReach::buffers), DeviceWay::buffered);
  // By default over the slowest of links, too.
  for (const Count bytes : {1, 1 << 20, 1 << 30})
    EXPECT_EQ(choose_device_way({true, true, DeviceReach::fields, false, bytes, true}).way,
              DeviceWay::straight);
}

TEST(PackedTogether, are_messages_that_are_not_worth_a_launch_of_their_own) {
  using Launches = std::vector<std::vector<std::size_t>>;
  const auto launches = [](const Counts& bytes) { return packed_together(bytes); };
  EXPECT_EQ(launches({}), Launches{});
  EXPECT_EQ(launches({0}), (Launches{{0}}));
  EXPECT_EQ(launches({1, 2, 3}), (Launches{{0, 1, 2}}));
  EXPECT_EQ(launches({1000 * kibibyte}), (Launches{{0}}));
  // Short ones go with the first long one, whatever stands before it.
  EXPECT_EQ(launches({256 * kibibyte, 1, 256 * kibibyte, 2, 256 * kibibyte}),
            (Launches{{1, 3, 0}, {2}, {4}}));
  // What is left over is not worth another.
  EXPECT_EQ(launches({64 * kibibyte, 64 * kibibyte, 64 * kibibyte}), (Launches{{0, 1, 2}}));
  // However many there are.
  const Launches many = launches(Counts(100, 200 * kibibyte));
  EXPECT_LE(many.size(), 8U);
  EXPECT_GE(many.size(), 7U);
  std::size_t next = 0;
  for (const std::vector<std::size_t>& launch : many)
    for (const std::size_t message : launch) EXPECT_EQ(message, next++);
  EXPECT_EQ(next, 100U);
}

TEST(DevicePrices, are_those_that_were_measured_and_usual_ones_else) {
  const DevicePrices usual;
  LevelCosts costs;
  EXPECT_EQ(device_prices(costs).straight.byte_seconds, usual.straight.byte_seconds);
  costs.levels.set("device-host", {1, 2, 3});
  EXPECT_EQ(device_prices(costs).staged.byte_seconds, 2);
  EXPECT_EQ(device_prices(costs).straight.round_seconds, usual.straight.round_seconds);
  EXPECT_EQ(device_prices(costs).linked.byte_seconds, usual.linked.byte_seconds);
  costs.levels.set("device-link", {7, 8, 9});
  EXPECT_EQ(device_prices(costs).linked.byte_seconds, 8);
  EXPECT_EQ(device_prices(costs).straight.byte_seconds, usual.straight.byte_seconds);
  costs.levels.set("device", {4, 5, 6});
  EXPECT_EQ(device_prices(costs).straight.latency_seconds, 6);
}

}  // namespace
}  // namespace halocline::plan
