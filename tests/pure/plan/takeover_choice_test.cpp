#include "plan/transport/takeover_choice.hpp"

#include <gtest/gtest.h>

#include <string>

namespace halocline::plan {
namespace {

constexpr Count kib = 1024;

std::string left(const RunsInMemory& message) {
  const char* const why = why_left_to_mpi(message);
  return why == nullptr ? "packed" : why;
}

TEST(TakeoverChoice, messages_of_many_short_blocks_are_packed) {
  EXPECT_EQ(left({2 * kib, 32, 1}), "packed");
  EXPECT_EQ(left({2 * kib - 1, 1000, 1}), "less than 2 KiB");
  EXPECT_EQ(left({2 * kib, 31, 1}), "long blocks");
  EXPECT_EQ(left({64 * kib, kib, 1}), "packed");
  EXPECT_EQ(left({64 * kib + 1, 4096, 1}), "long blocks");
  EXPECT_EQ(left({64 * kib + 16, 4097, 1}), "packed");
  EXPECT_EQ(left({1024 * kib, 1024 * kib, 64}), "packed");
  EXPECT_EQ(left({1024 * kib, 1024 * kib, 65}), "too irregular");
  EXPECT_EQ(left({1024 * kib + 1, 1024 * kib, 1}), "more than 1 MiB");
  EXPECT_EQ(left({4 * kib, 1, 1}), "no gaps");
}

TEST(TakeoverChoice, blocks_of_long_runs_are_moved_by_mpi) {
  EXPECT_TRUE(is_moved_well_by_mpi({10 * kib, 10, 1}));
  EXPECT_FALSE(is_moved_well_by_mpi({10 * kib, 11, 1}));
  EXPECT_TRUE(is_moved_well_by_mpi({64 * kib, kib, 1}));
  EXPECT_FALSE(is_moved_well_by_mpi({64 * kib, kib + 1, 1}));
}

TEST(TakeoverChoice, streams_share_the_memory_of_a_process) {
  EXPECT_EQ(choose_stream_chunks(0).bytes, 16 * kib);
  EXPECT_EQ(choose_stream_chunks(12).bytes, 16 * kib);
  EXPECT_EQ(choose_stream_chunks(26).bytes, 1536 * kib / 8 / 26 / 64 * 64);
  EXPECT_EQ(choose_stream_chunks(1000).bytes, 2 * kib);
  EXPECT_EQ(choose_stream_chunks(26).slots, 8);
}

}  // namespace
}  // namespace halocline::plan
