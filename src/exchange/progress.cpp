#include "exchange/progress.hpp"

#include "mpi/attribute_cache.hpp"

#include <thread>

#include <sched.h>

namespace halocline::exchange {
namespace {

/// Pauses before others get the core.
constexpr int spins_of_a_core = 100;

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

/// MPI has work of its own to do, for the requests of the application among others.
void let_mpi_progress() {
  int flag = 0;
  HALOCLINE_MPI(Iprobe, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

}  // namespace

Progress::Progress() : spins_(spins_of_a_core) {}

void Progress::expect_processes(std::size_t on_this_node) {
  if (on_this_node > std::thread::hardware_concurrency()) spins_ = 0;
}

std::shared_ptr<Progress> Progress::of_process() {
  using Cache = mpi::CommCache<std::shared_ptr<Progress>>;
  auto kept = Cache::find(MPI_COMM_SELF);
  if (!kept) {
    kept = std::make_shared<std::shared_ptr<Progress>>(std::make_shared<Progress>());
    Cache::keep(MPI_COMM_SELF, kept);
  }
  return *kept;
}

void Progress::advance_all() {
  // An operation does not start or end others, but it may leave the list when it is complete.
  for (std::size_t i = active_.size(); i-- > 0;) {
    Active* operation = active_[i];
    if (operation->advance()) remove(*operation);
  }
}

void Progress::give_way() {
  constexpr int turns_between_probes = 16;
  if (++vain_turns_ < spins_) return pause_briefly();
  if (vain_turns_ % turns_between_probes == 0) let_mpi_progress();
  sched_yield();
}

bool Progress::test(const Active& operation) {
  if (!operation.complete()) advance_all();
  if (operation.complete()) {
    vain_turns_ = 0;
    return true;
  }
  give_way();
  return false;
}

void Progress::wait(const Active& operation) {
  while (!test(operation)) {
  }
}

}  // namespace halocline::exchange
