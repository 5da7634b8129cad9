// A thread of the library that moves what is under way (HALOCLINE_PROGRESS).

#include "exchange/ring.hpp"
#include "expect_error.hpp"
#include "support/scope.hpp"
#include "support/threads.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>

namespace halocline::exchange_progress_thread_tests {
namespace {

using Clock = std::chrono::steady_clock;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// No process stays behind in MPI, which spins.
class ProgressThread : public SeveralThreads {
 protected:
  /// Started, and then nothing of the library or MPI is called.
  static bool arrives_by_itself(Ring& ring, int what) {
    ring.fill(what);
    MPI_Barrier(MPI_COMM_WORLD);  // nobody's buffer is filled before it is cleared
    ring.exchange().start();
    const auto give_up = Clock::now() + std::chrono::seconds(30);
    while (!ring.last_arrived() && Clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const bool by_itself = ring.last_arrived();
    // All look before any of them waits, and moves what others wait for.
    for (const auto until = Clock::now() + std::chrono::milliseconds(100); Clock::now() < until;)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ring.exchange().wait();
    EXPECT_TRUE(ring.arrived());
    return by_itself;
  }

  const Variable thread_{"HALOCLINE_PROGRESS", "thread"};
};

TEST_F(ProgressThread, moves_what_nobody_waits_for) {
  const mpi::Comm cart = ring_of_world();
  for (const SharedMemory shared : {SharedMemory::on, SharedMemory::buffered, SharedMemory::off}) {
    ExchangeOptions options;
    options.shared = shared;
    Ring ring(cart.get(), Ring::long_bytes, options);
    for (int round = 1; round <= 2; ++round)
      EXPECT_TRUE(arrives_by_itself(ring, round)) << static_cast<int>(shared) << " on rank " << world_rank();
  }
}

TEST_F(ProgressThread, is_asked_for_by_the_first_process) {
  const Variable off("HALOCLINE_PROGRESS", world_rank() == 0 ? "thread" : "off");
  const mpi::Comm cart = ring_of_world();
  Ring ring(cart.get(), Ring::long_bytes);
  EXPECT_TRUE(arrives_by_itself(ring, 5));
}

TEST_F(ProgressThread, sleeps_while_nothing_is_under_way) {
  const mpi::Comm cart = ring_of_world();
  Ring ring(cart.get(), 1000);
  EXPECT_TRUE(arrives_by_itself(ring, 9));
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(cpu_seconds() - before, 0.05);
  MPI_Barrier(MPI_COMM_WORLD);
}

/// As many threads as cores, or more, are computing, or would like to.
TEST_F(ProgressThread, naps_where_cores_are_few) {
  if (world_size() == 1 || 2 * world_size() <= static_cast<int>(std::thread::hardware_concurrency()))
    GTEST_SKIP() << "each process has two cores, or is alone";
  const mpi::Comm cart = ring_of_world();
  Ring ring(cart.get(), Ring::long_bytes);
  ring.fill(1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) {  // who comes late
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    ring.exchange().start();
  } else {
    ring.exchange().start();
    const double before = cpu_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    EXPECT_LT(cpu_seconds() - before, 0.5);
  }
  ring.exchange().wait();
  EXPECT_TRUE(ring.arrived());
}

TEST_F(ProgressThread, survives_that_the_process_forks) {
  const mpi::Comm cart = ring_of_world();
  for (int round = 1; round <= 2; ++round) {
    auto ring = std::make_unique<Ring>(cart.get(), Ring::long_bytes);
    ring->fill(round);
    ring->exchange().start();
    const pid_t child = fork();
    if (child == 0) _exit(round);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == round);
    EXPECT_EQ(std::system("exit 3") >> 8, 3);
    ring->exchange().wait();
    EXPECT_TRUE(ring->arrived());
    const pid_t another = fork();
    if (another == 0) {
      ring.reset();  // at rest
      _exit(0);
    }
    EXPECT_EQ(waitpid(another, &status, 0), another);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_TRUE(arrives_by_itself(*ring, 50 + round));
  }
}

TEST_F(ProgressThread, lets_exchanges_come_and_go) {
  for (int round = 1; round <= 24; ++round) {
    const mpi::Comm cart = ring_of_world();
    Ring first(cart.get(), round % 3 == 0 ? Ring::long_bytes / 8 : Count{round} * 100);
    Ring second(cart.get(), 3000);
    first.fill(round);
    second.fill(round + 1);
    first.exchange().start();
    second.exchange().start();
    if (round % 2 == 0) {
      first.exchange().wait();
      EXPECT_TRUE(first.arrived());
    }  // else it is destroyed under way
  }
}

TEST_F(ProgressThread, is_refused_by_one_word_for_all) {
  const mpi::Comm cart = ring_of_world();
  for (const char* const word : {"threads", "on", "1"}) {
    const FirstVariable nonsense("HALOCLINE_PROGRESS", word);
    expect_error(
        Fault::invalid_argument, [&] { const Ring ring(cart.get(), 10); }, "HALOCLINE_PROGRESS", word,
        "off or thread");
  }
}

}  // namespace
}  // namespace halocline::exchange_progress_thread_tests
