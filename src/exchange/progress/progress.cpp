// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/progress/progress.hpp"

#include "base/pause.hpp"
#include "exchange/progress/mpi_waiting.hpp"
#include "mpi/handles/threads.hpp"

#include <thread>

#include <sched.h>

namespace halocline::exchange {

Progress::Progress()
    : spins_(spins_of_a_core),
      shared_(mpi::several_threads() ? std::make_shared<SharedProgress>() : nullptr) {}

void Progress::expect_processes(std::size_t on_this_node) {
  if (shared_) return shared_->expect_processes(on_this_node);
  if (on_this_node > std::thread::hardware_concurrency()) spins_ = 0;
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

bool Progress::move(Active& operation) {
  if (!operation.complete()) advance_all();
  if (!operation.complete()) return false;
  vain_turns_ = 0;
  return true;
}

bool Progress::test(Active& operation) {
  if (shared_) return shared_->test(operation);
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

void Progress::wait(Active& operation) {
  if (shared_) return shared_->wait(operation);
  while (!operation.complete()) {
    const bool block = may_block();
    if (block) active_.front()->wait_for_message();  // the only one is the one that is waited for
    if (!move(operation) && !block) give_way();
  }
  vain_turns_ = 0;
}

void Progress::wait(MPI_Request request) {
  if (shared_) return shared_->wait(request);
  while (!ask(request)) {
    advance_all();
    give_way();
  }
  vain_turns_ = 0;
}

}  // namespace halocline::exchange
