// Who is timed how often, and which times count.

#include "tools/bench/measuring/contest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace halocline::tools {
namespace {

TEST(Contest, takes_turns_one_by_one) {
  std::string calls;
  const std::vector<Competitor> both{{"a", [&] { calls += 'a'; }}, {"b", [&] { calls += 'b'; }}};
  const auto medians = measure(MPI_COMM_WORLD, both, {.repetitions = 10, .runs = 3, .prepare = {}});
  EXPECT_EQ(medians.size(), 3U);
  EXPECT_EQ(calls.substr(0, 2), "ab");  // first use
  for (std::size_t turn = 2; turn < calls.size(); turn += 2) EXPECT_NE(calls[turn], calls[turn + 1]);
  EXPECT_EQ(calls.size(), 2U + 2U * 10 * 3);
}

TEST(Contest, leaves_out_the_first_quarter_of_each_row) {
  constexpr int row = 4;
  std::string calls;
  int number = -1;  // the first call of all is in no row
  const auto slow_at_both_ends = [&] {
    calls += 's';
    const int of_row = number++ % row;
    if (of_row == 0 || of_row == row - 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  const std::vector<Competitor> both{{"s", slow_at_both_ends}, {"f", [&] { calls += 'f'; }}};
  const auto medians =
      measure(MPI_COMM_WORLD, both, {.repetitions = 1, .runs = 4, .in_a_row = row, .prepare = {}});
  EXPECT_EQ(calls.size(), 2U + 2U * row * 4);
  for (std::size_t turn = 2; turn < calls.size(); turn += row)
    EXPECT_EQ(calls.substr(turn, row), std::string(row, calls[turn]));
  // One of three is slow; with the first one it would be two of four.
  for (const std::vector<double>& run : medians) EXPECT_LT(run.front(), 0.015);
}

TEST(Contest, counts_all_of_a_short_row) {
  int calls = 0;
  const std::vector<Competitor> one{{"one", [&] {
                                       if (++calls % 2 == 0)
                                         std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                     }}};
  const auto medians =
      measure(MPI_COMM_WORLD, one, {.repetitions = 1, .runs = 1, .in_a_row = 2, .prepare = {}});
  EXPECT_GT(medians.front().front(), 0.005);
}

}  // namespace
}  // namespace halocline::tools
