// Channels are found in an arena by those who look for them, and do not overlap.

#include "exchange/ways/arena_plan.hpp"
#include "expect_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace halocline::exchange {
namespace {

using Use = ChannelKey::Use;

/// Memory aligned as an arena is, full of rubbish.
std::vector<Counter> arena_for(const ArenaPlan& plan) {
  std::vector<Counter> memory(static_cast<std::size_t>(plan.bytes()) / sizeof(Counter) + 1);
  for (Counter& counter : memory) counter.value = ~std::uint64_t{0};
  return memory;
}
std::byte* bytes_of(std::vector<Counter>& memory) { return reinterpret_cast<std::byte*>(memory.data()); }

TEST(ArenaPlan, is_empty_without_channels) {
  EXPECT_EQ(ArenaPlan().bytes(), 0);
  EXPECT_TRUE(ArenaPlan().channels(nullptr).empty());
  expect_error(
      Fault::internal,
      [] {
        (void)ArenaPlan::find(nullptr, {Use::direct, 0, 0, 3});
      },
      "no channel", "3");
}

TEST(ArenaPlan, every_member_finds_its_channel_and_its_number_in_it) {
  const std::uint64_t seed = 5;
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " trial " + std::to_string(trial));
    struct Added {
      Use use;
      int node, part;
      ChannelShape shape;
      std::vector<int> members;
    };
    std::vector<Added> added;
    ArenaPlan plan;
    for (std::size_t i = 0; i < 1 + random() % 8; ++i) {
      std::vector<int> members;
      for (int m = 0; m < 6; ++m)
        if (random() % 2 == 0) members.push_back(m);
      if (members.empty()) members.push_back(static_cast<int>(random() % 6));
      std::shuffle(members.begin(), members.end(), random);
      const Use use = i % 2 == 0 ? Use::outgoing : Use::incoming;
      const int crowd = static_cast<int>(members.size());
      const Count bytes = 1 + static_cast<Count>(random() % 300);
      const Count chunk = 1 + static_cast<Count>(random() % static_cast<std::uint64_t>(bytes));
      const ChannelShape shape{bytes, chunk, 2 + static_cast<Count>(random() % 3),
                               use == Use::outgoing ? crowd : 1, use == Use::outgoing ? 1 : crowd};
      added.push_back({use, static_cast<int>(i / 4), static_cast<int>(i % 4), shape, members});
      plan.add(use, added.back().node, added.back().part, shape, members);
    }
    std::vector<Counter> memory = arena_for(plan);
    std::byte* const arena = bytes_of(memory);
    plan.fill(arena);
    EXPECT_EQ(memory.back().value.load(), ~std::uint64_t{0});  // behind the end

    std::vector<Channel> channels = plan.channels(arena);
    ASSERT_EQ(channels.size(), added.size());
    std::vector<std::pair<std::byte*, std::byte*>> slots;
    for (std::size_t i = 0; i < added.size(); ++i) {
      for (std::size_t m = 0; m < added[i].members.size(); ++m) {
        FoundChannel found =
            ArenaPlan::find(arena, {added[i].use, added[i].node, added[i].part, added[i].members[m]});
        EXPECT_EQ(found.number, static_cast<int>(m));
        EXPECT_EQ(found.channel.shape(), added[i].shape);
        EXPECT_EQ(found.channel.slot(0), channels[i].slot(0));
        EXPECT_TRUE(found.channel.writable(0));
        EXPECT_FALSE(found.channel.readable(0));
        EXPECT_TRUE(found.channel.idle_after(0));
      }
      for (Count s = 0; s < added[i].shape.slots; ++s) {
        std::byte* const first = channels[i].slot(static_cast<Channel::Chunk>(s));
        slots.emplace_back(first, first + added[i].shape.chunk_bytes);
        EXPECT_GE(first, arena);
        EXPECT_LE(first + added[i].shape.chunk_bytes, arena + plan.bytes());
      }
    }
    std::sort(slots.begin(), slots.end());
    for (std::size_t i = 1; i < slots.size(); ++i) EXPECT_LE(slots[i - 1].second, slots[i].first);
  }
}

TEST(ArenaPlan, a_channel_has_its_contents_from_the_beginning) {
  ArenaPlan plan;
  const std::vector<int> members{0, 4};
  const std::vector<std::byte> contents{std::byte{7}, std::byte{0}, std::byte{9}};
  plan.add(Use::direct, 0, 0, {10, 10, 2, 1, 2}, members);
  plan.add(Use::places, 0, 0, {3, 3, 1, 1, 2}, members, contents);
  std::vector<Counter> memory = arena_for(plan);
  plan.fill(bytes_of(memory));
  for (const int member : members) {
    const auto found = ArenaPlan::look_up(bytes_of(memory), {Use::places, 0, 0, member});
    ASSERT_TRUE(found);
    EXPECT_EQ(std::vector<std::byte>(found->channel.slot(0), found->channel.slot(0) + 3), contents);
  }
  EXPECT_FALSE(ArenaPlan::look_up(bytes_of(memory), {Use::places, 0, 0, 1}));
  EXPECT_FALSE(ArenaPlan::look_up(nullptr, {Use::places, 0, 0, 0}));
}

TEST(ArenaPlan, does_not_find_what_is_not_there) {
  ArenaPlan plan;
  const std::vector<int> members{2, 5};
  plan.add(Use::incoming, 7, 1, {10, 10, 2, 1, 2}, members);
  std::vector<Counter> memory = arena_for(plan);
  plan.fill(bytes_of(memory));
  EXPECT_EQ(ArenaPlan::find(bytes_of(memory), {Use::incoming, 7, 1, 5}).number, 1);
  for (const ChannelKey& key : {ChannelKey{Use::outgoing, 7, 1, 5}, ChannelKey{Use::incoming, 6, 1, 5},
                                ChannelKey{Use::incoming, 7, 0, 5}, ChannelKey{Use::incoming, 7, 1, 3}})
    expect_error(
        Fault::internal, [&] { (void)ArenaPlan::find(bytes_of(memory), key); }, "no channel",
        std::to_string(key.member));
}

}  // namespace
}  // namespace halocline::exchange
