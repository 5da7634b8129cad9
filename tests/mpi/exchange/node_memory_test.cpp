// Shared memory is handed out once at a time, seen by all processes of the node, and used again.

#include "exchange/memory/node_memory.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

namespace halocline::exchange {
namespace {

using Random = std::mt19937_64;

TEST(FreeList, never_gives_the_same_bytes_twice_and_joins_what_comes_back) {
  constexpr Count all = 5000;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    FreeList list(all);
    std::map<Count, Count> taken;  // from offset to bytes
    for (int step = 0; step < 3000; ++step) {
      if (taken.empty() || random() % 2 == 0) {
        const Count bytes = 1 + static_cast<Count>(random() % 400);
        const Count offset = list.take(bytes);
        if (offset < 0) {
          // Only if no gap between what is taken has room.
          Count end = 0;
          for (const auto& [first, size] : taken) {
            ASSERT_LT(first - end, bytes);
            end = first + size;
          }
          ASSERT_LT(all - end, bytes);
          continue;
        }
        ASSERT_LE(offset + bytes, all);
        const auto next = taken.lower_bound(offset);
        ASSERT_TRUE(next == taken.end() || offset + bytes <= next->first);
        ASSERT_TRUE(next == taken.begin() || std::prev(next)->first + std::prev(next)->second <= offset);
        taken.emplace(offset, bytes);
      } else {
        const auto some = std::next(taken.begin(), static_cast<std::ptrdiff_t>(random() % taken.size()));
        list.give(some->first, some->second);
        taken.erase(some);
      }
    }
    for (const auto& [offset, bytes] : taken) list.give(offset, bytes);
    EXPECT_EQ(list.take(all), 0);  // in one piece again
    EXPECT_EQ(list.take(1), -1);
  }
}

/// All bytes of an arena say whose it is.
void mark(std::byte* memory, Count bytes, int value) {
  if (bytes > 0) std::memset(memory, value, static_cast<std::size_t>(bytes));
}

TEST(NodeMemory, everyone_sees_what_the_owners_filled_in) {
  NodeMemory memory(MPI_COMM_WORLD);
  const int me = world_rank();
  std::vector<std::unique_ptr<NodeMemory::Arena>> arenas;
  // Some processes want nothing; the last arena needs a segment of its own.
  for (const Count scale : {100, 1, 4000, 300'000}) {
    const Count mine = scale * ((me + static_cast<int>(arenas.size())) % 3);
    arenas.push_back(memory.allocate(
        mine, [&](std::byte* place) { mark(place, mine, me + 10 * static_cast<int>(arenas.size())); }));
    ASSERT_NE(arenas.back(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arenas.back()->mine) % 64, 0U);
    const std::vector<Count> sizes = everyones(MPI_COMM_WORLD, mine);
    for (int p = 0; p < world_size(); ++p) {
      const auto i = static_cast<std::size_t>(p);
      const std::byte* const theirs = arenas.back()->of[i];
      ASSERT_EQ(theirs == nullptr, sizes[i] == 0);
      if (theirs == nullptr) continue;
      const auto expected = static_cast<std::byte>(p + 10 * (static_cast<int>(arenas.size()) - 1));
      EXPECT_EQ(theirs[0], expected);
      EXPECT_EQ(theirs[sizes[i] - 1], expected);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);  // all have looked
}

TEST(NodeMemory, is_used_again_only_once_nobody_touches_it) {
  NodeMemory memory(MPI_COMM_WORLD);
  const auto nothing = [](std::byte*) {};
  auto first = memory.allocate(1000, nothing), second = memory.allocate(1000, nothing);
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  std::byte* const place = first->mine;
  EXPECT_NE(place, second->mine);
  bool idle = false;
  memory.retire(std::move(first), [&] { return idle; });
  auto third = memory.allocate(1000, nothing);
  EXPECT_NE(third->mine, place);
  idle = true;
  auto fourth = memory.allocate(1000, nothing);
  EXPECT_EQ(fourth->mine, place);
}

TEST(NodeMemory, does_not_grow_while_what_was_retired_is_enough) {
  NodeMemory memory(MPI_COMM_WORLD);
  Random random(static_cast<std::uint64_t>(world_rank()));
  std::vector<std::unique_ptr<NodeMemory::Arena>> arenas(5);
  // 5 arenas of 40,000 bytes fit into the first segment, or with gaps between them into that and a second.
  for (int round = 0; round < 200; ++round) {
    auto& arena = arenas[random() % arenas.size()];
    if (arena) memory.retire(std::move(arena), [] { return true; });
    arena = memory.allocate(20'000 + static_cast<Count>(random() % 20'000), [](std::byte*) {});
    ASSERT_NE(arena, nullptr);
    ASSERT_LE(arena->segment, 1U) << round;
  }
}

}  // namespace
}  // namespace halocline::exchange
