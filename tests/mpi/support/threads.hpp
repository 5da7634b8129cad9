// Several threads of each process, in a program of HALOCLINE_TEST_THREADS.
#pragma once

#include "mpi/handles/threads.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace halocline {

/// Calls work(0), work(1), ... at once. What one throws is a failure of the test; the others then may wait
/// for ever, which the test's time-out ends.
template <class Work>
void at_once(std::size_t threads, const Work& work) {
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t)
    all.emplace_back([&work, t] {
      try {
        work(t);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "thread " << t << " on rank " << world_rank() << ": " << error.what();
      }
    });
  for (std::thread& thread : all) thread.join();
}

/// Tests that make no sense, or harm, if MPI takes no calls of several threads.
class SeveralThreads : public testing::Test {
 protected:
  void SetUp() override {
    if (!mpi::several_threads()) GTEST_FAIL() << "HALOCLINE_TEST_THREADS=1 and an MPI for threads are needed";
  }
};

}  // namespace halocline
