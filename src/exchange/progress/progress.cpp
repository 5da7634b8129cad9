// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/progress/progress.hpp"

#include "base/pause.hpp"
#include "exchange/progress/mpi_waiting.hpp"
#include "mpi/handles/attribute_cache.hpp"

#include <thread>

#include <sched.h>

namespace halocline::exchange {
namespace {

/// Pauses before others get the core.
constexpr int spins_of_a_core = 100;

// The life of a generalized request, of which nothing is to be known.
int query(void* /*extra*/, MPI_Status* status) {
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
int freed(void* /*extra*/) { return MPI_SUCCESS; }
int cancel(void* /*extra*/, int /*complete*/) { return MPI_SUCCESS; }

}  // namespace

MpiWork::MpiWork() { HALOCLINE_MPI(Grequest_start, query, freed, cancel, nullptr, &never_); }

MpiWork::~MpiWork() {
  int finalized = 1;
  PMPI_Finalized(&finalized);
  if (finalized) return;
  PMPI_Grequest_complete(never_);
  PMPI_Wait(&never_, MPI_STATUS_IGNORE);
}

void MpiWork::go_on() {
  int complete = 0;
  HALOCLINE_MPI(Test, &never_, &complete, MPI_STATUS_IGNORE);
}

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
  if (rest()) return;
  if (++vain_turns_ < spins_) return pause_briefly();
  // MPI works whenever a request of ours is asked for; this is for others, who may wait for this process. Not
  // too seldom: on a busy machine a turn is long, and MPI may need many.
  if (vain_turns_ % 4 == 0)
    mpi_.go_on();
  else
    sched_yield();
}

bool Progress::move(const Active& operation) {
  if (!operation.complete()) advance_all();
  if (!operation.complete()) return false;
  vain_turns_ = 0;
  return true;
}

bool Progress::test(const Active& operation) {
  if (move(operation)) return true;
  // Who only asks may do so seldom: each time has to count for MPI.
  mpi_.go_on();
  give_way();
  return false;
}

bool Progress::may_block() const {
  if (spins_ == 0 && !waits_politely()) return false;  // others need the core
  return active_.size() == 1 && active_.front()->needs_messages_only();
}

void Progress::wait(const Active& operation) {
  while (!operation.complete()) {
    const bool block = may_block();
    if (block) active_.front()->wait_for_message();  // the only one is the one that is waited for
    if (!move(operation) && !block) give_way();
  }
  vain_turns_ = 0;
}

void Progress::wait(MPI_Request request) {
  while (!ask(request)) {
    advance_all();
    give_way();
  }
  vain_turns_ = 0;
}

}  // namespace halocline::exchange
