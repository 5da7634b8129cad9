// HALOCLINE_PROGRESS where MPI takes no calls of several threads, as most programs initialize it.

#include "exchange/ring.hpp"
#include "expect_error.hpp"
#include "mpi/handles/threads.hpp"
#include "support/scope.hpp"

#include <gtest/gtest.h>

namespace halocline::exchange_progress_setting_tests {
namespace {

TEST(ProgressSetting, nonsense_of_the_first_process_is_refused_on_all) {
  const mpi::Comm cart = ring_of_world();
  for (const char* const word : {"threads", "yes", "THREAD"}) {
    const FirstVariable nonsense("HALOCLINE_PROGRESS", word);
    expect_error(
        Fault::invalid_argument, [&] { const Ring ring(cart.get(), 10); }, "HALOCLINE_PROGRESS", word,
        "off or thread");
  }
}

TEST(ProgressSetting, what_others_say_does_not_count) {
  const mpi::Comm cart = ring_of_world();
  const Variable word("HALOCLINE_PROGRESS", world_rank() == 0 ? "off" : "nonsense");
  Ring ring(cart.get(), 10);
  ring.fill(3);
  ring.exchange().start();
  ring.exchange().wait();
  EXPECT_TRUE(ring.arrived());
}

TEST(ProgressSetting, a_thread_needs_an_mpi_for_threads) {
  if (mpi::several_threads()) GTEST_SKIP() << "MPI has threads here";
  const mpi::Comm cart = ring_of_world();
  const FirstVariable thread("HALOCLINE_PROGRESS", "thread");
  expect_error(
      Fault::unsupported, [&] { const Ring ring(cart.get(), 10); }, "HALOCLINE_PROGRESS=thread",
      mpi::thread_level_name(mpi::thread_level()), "needs MPI_THREAD_MULTIPLE");
}

}  // namespace
}  // namespace halocline::exchange_progress_setting_tests
