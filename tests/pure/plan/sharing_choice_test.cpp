#include "plan/transport/sharing_choice.hpp"

#include <gtest/gtest.h>

namespace halocline::plan {
namespace {

TEST(ChooseThreads, gives_each_thread_enough_to_do) {
  for (Count work = 0; work < 20 * least_shared_work; work += 1000)
    for (const int workers : {1, 2, 3, 8, 64}) {
      const int threads = choose_threads(work, workers);
      EXPECT_GE(threads, 1);
      EXPECT_LE(threads, workers);
      if (threads > 1) {
        EXPECT_GE(work / threads, least_shared_work) << work << " for " << workers;
      }
      if (threads < workers) {  // no more would have enough
        EXPECT_LT(work / (threads + 1), least_shared_work) << work << " for " << workers;
      }
    }
}

TEST(ChooseThreads, leaves_small_halos_to_one_thread) {
  // A field of 16^3 doubles, all its faces: 12 KiB, the runs of two of them of one number each.
  EXPECT_EQ(choose_threads(copy_work(6 * 16 * 16 * 8, 2 * 256 + 4 * 16), 16), 1);
  // Four of 128^3.
  EXPECT_EQ(choose_threads(copy_work(4 * 6 * 128 * 128 * 8, Count{4} * (2 * 16384 + 4 * 128)), 16), 8);
}

TEST(ChooseThreads, counts_what_short_runs_cost) {
  EXPECT_GT(copy_work(8000, 1000), 4 * copy_work(8000, 1));
  EXPECT_EQ(choose_threads(0, 8, 0), 1);
  EXPECT_EQ(choose_threads(1, 8, 0), 1);
  EXPECT_EQ(choose_threads(8, 8, 0), 8);
  EXPECT_EQ(choose_threads(Count{1} << 60, 1000), 64) << "marks for parts are the bits of a word";
}

}  // namespace
}  // namespace halocline::plan
