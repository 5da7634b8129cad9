// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of halos with threads of the program, or of the library.

#include "base/fail.hpp"
#include "exchange/planning/create.hpp"
#include "exchange/threads/crew.hpp"
#include "exchange/threads/process_pool.hpp"
#include "halo/halo_state.hpp"
#include "halocline/base/error.hpp"

#include <exception>

namespace halocline {
namespace {

/// Workers for all that a halo copies, as long as this lives.
class LentWorkers {
 public:
  LentWorkers(const HaloState& state, const Workers& workers) : crews_(state.crews()) {
    for (std::size_t lent = 0; lent < crews_.size(); ++lent) {
      try {
        crews_[lent]->lend(workers);
      } catch (...) {
        while (lent > 0) crews_[--lent]->give_back();
        throw;
      }
    }
  }
  ~LentWorkers() {
    for (exchange::Crew* crew : crews_) crew->give_back();
  }
  LentWorkers(const LentWorkers&) = delete;
  LentWorkers& operator=(const LentWorkers&) = delete;

 private:
  std::vector<exchange::Crew*> crews_;
};

/// What goes wrong with threads in a start is told in the end: others wait for this process.
template <class Start>
void whole_exchange(Halo& halo, const Start& start) {
  std::exception_ptr failure;
  const bool was_active = halo.active();
  try {
    start();
  } catch (...) {
    if (was_active || !halo.active()) throw;
    failure = std::current_exception();
  }
  halo.wait();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

std::vector<exchange::Crew*> Halo::State::crews() const {
  std::vector<exchange::Crew*> all;
  if (stage) all.push_back(&stage->crew());
  for (const Turn& turn : turns) all.push_back(&exchange::crew_of(turn.exchange));
  return all;
}

void Halo::start(const Workers& workers) {
  const LentWorkers lent(state(), workers);
  start();
}

void Halo::start_with(std::span<const void* const> memories, const Workers& workers) {
  const LentWorkers lent(state(), workers);
  start_with(memories);
}

void Halo::start_with(std::span<const FieldView* const> fields, const Workers& workers) {
  const LentWorkers lent(state(), workers);
  start_with(fields);
}

void Halo::wait(const Workers& workers) {
  const LentWorkers lent(state(), workers);
  wait();
}

void Halo::exchange() {
  whole_exchange(*this, [this] { start(); });
}

void Halo::exchange_with(std::span<const void* const> memories) {
  whole_exchange(*this, [&] { start_with(memories); });
}

void Halo::exchange_with(std::span<const FieldView* const> fields) {
  whole_exchange(*this, [&] { start_with(fields); });
}

void Halo::exchange(const Workers& workers) {
  const LentWorkers lent(state(), workers);
  exchange();
}

void Halo::set_executor(const Workers& workers) {
  const State& state = this->state();
  state.require_rest();
  for (exchange::Crew* crew : state.crews()) crew->employ(workers);
}

void Halo::set_threads(int threads) {
  State& state = this->state();
  require(threads >= 1, threads, " threads for the copies of a halo; there is at least one");
  state.require_rest();
  auto pool = exchange::pool_of_process(threads);
  for (exchange::Crew* crew : state.crews())
    if (pool)
      crew->employ_library(*pool);
    else
      crew->employ(Workers());
  state.pool = std::move(pool);
}

}  // namespace halocline
