// Threads that wait for exchanges in different orders: none waits for another for ever, and what fails is
// heard of by the thread that it belongs to.

#include "support/threads.hpp"
#include "exchange/ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <vector>

namespace halocline::exchange_threads_tests {
namespace {

class ExchangesInThreads : public SeveralThreads {};

TEST_F(ExchangesInThreads, that_start_go_on_while_another_one_waits) {
  const mpi::Comm cart = ring_of_world();
  mpi::Comm gate;
  MPI_Comm_dup(MPI_COMM_WORLD, gate.put());
  // Through buffers, which both sides have to fill and empty again and again.
  ExchangeOptions options;
  options.shared = SharedMemory::buffered;
  Ring a(cart.get(), Ring::long_bytes, options), b(cart.get(), Ring::long_bytes, options);
  for (int round = 1; round <= 2; ++round) {
    a.fill(round);
    b.fill(round + 100);
    if (world_rank() % 2 == 0) {
      // The second thread leaves its exchange to whoever waits for the first, which the others begin only
      // once they have the second.
      std::atomic<bool> first_is_done = false;
      at_once(2, [&](std::size_t t) {
        if (t == 0) {
          a.exchange().start();
          a.exchange().wait();
          first_is_done = true;
          return;
        }
        b.exchange().start();
        MPI_Barrier(gate.get());
        while (!first_is_done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        b.exchange().wait();
      });
    } else {
      MPI_Barrier(gate.get());  // so that the other side has nothing to do yet when it starts
      b.exchange().start();
      b.exchange().wait();
      a.exchange().start();
      a.exchange().wait();
    }
    EXPECT_TRUE(a.arrived()) << round;
    EXPECT_TRUE(b.arrived()) << round;
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_F(ExchangesInThreads, are_waited_for_in_any_order) {
  const mpi::Comm cart = ring_of_world();
  constexpr std::size_t count = 4;
  std::vector<std::unique_ptr<Ring>> rings;
  for (std::size_t i = 0; i < count; ++i)
    rings.push_back(std::make_unique<Ring>(cart.get(), i % 2 == 0 ? Ring::long_bytes / 4 : Count{1000}));
  for (int round = 1; round <= 4; ++round) {
    for (std::size_t i = 0; i < count; ++i) rings[i]->fill(round * 10 + static_cast<int>(i));
    // Some processes have a thread for each, some two for two each, some one for all.
    const std::size_t threads = std::size_t{4} >> (static_cast<unsigned>(world_rank() + round) % 3);
    at_once(threads, [&](std::size_t t) {
      for (std::size_t i = t; i < count; i += threads) rings[i]->exchange().start();
      for (std::size_t i = t; i < count; i += threads) {
        const std::size_t which = threads == 1 ? (i + static_cast<std::size_t>(round)) % count : i;
        if ((round + world_rank()) % 2 == 0)
          rings[which]->exchange().wait();
        else
          while (!rings[which]->exchange().test()) std::this_thread::yield();
      }
    });
    for (const auto& ring : rings) EXPECT_TRUE(ring->arrived()) << round;
  }
}

/// Creation is collective, and waits for others, who may wait first for what this process has started.
TEST_F(ExchangesInThreads, are_made_while_others_go_on) {
  const mpi::Comm first = ring_of_world(), second = ring_of_world();
  Ring ring(first.get(), Ring::long_bytes);
  for (int round = 1; round <= 2; ++round) {
    ring.fill(round);
    at_once(2, [&](std::size_t t) {
      if (t == 0) {
        ring.exchange().start();
        ring.exchange().wait();
        return;
      }
      Ring another(second.get(), 5000);
      another.fill(round);
      another.exchange().start();
      another.exchange().wait();
      EXPECT_TRUE(another.arrived());
    });
    EXPECT_TRUE(ring.arrived());
  }
}

}  // namespace
}  // namespace halocline::exchange_threads_tests
