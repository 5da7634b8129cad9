// The executor of OpenMP, and a team of its threads.
#include "halocline/exchange/executor.hpp"
#include "halocline/exchange/team.hpp"

#include "../expect_error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace halocline {
namespace {

TEST(OpenMP, runs_every_part_once) {
  for (const int threads : {1, 2, 4}) {
    const OpenMP openmp(threads);
    const Workers workers(openmp);
    EXPECT_EQ(workers.width(), threads);
    std::vector<int> times(7, 0);
    workers.run(7, WorkParts([](void* all, int part) { ++static_cast<int*>(all)[part]; }, times.data()));
    EXPECT_EQ(times, std::vector<int>(7, 1));
  }
}

TEST(OpenMP, refuses_to_begin_inside_of_a_parallel_region) {
  std::atomic<int> refused = 0;
#pragma omp parallel num_threads(2)
  {
    expect_error(
        Fault::invalid_argument, [] { OpenMP(2).run(1, WorkParts([](void*, int) {}, nullptr)); },
        "parallel region", "Team");
    ++refused;
  }
  EXPECT_EQ(refused.load(), 2);
}

TEST(OpenMP, threads_call_together_as_a_team) {
  constexpr int threads = 3;
  Team team(threads);
  std::vector<int> times(threads, 0);
#pragma omp parallel num_threads(threads)
  for (int step = 0; step < 50; ++step)
    team.member(omp_get_thread_num()).together([&](const Workers& workers) {
      workers.run(threads,
                  WorkParts([](void* all, int part) { ++static_cast<int*>(all)[part]; }, times.data()));
    });
  EXPECT_EQ(times, std::vector<int>(threads, 50));
}

}  // namespace
}  // namespace halocline
