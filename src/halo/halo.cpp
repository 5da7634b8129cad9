// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/halo/halo.hpp"

#include "base/fail.hpp"
#include "exchange/planning/create.hpp"
#include "halo/create.hpp"
#include "halo/points/problem.hpp"
#include "halo/points/regions.hpp"
#include "halo/sides_of.hpp"
#include "halocline/base/error.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/communicators/cart_comm.hpp"

#include <cstdio>
#include <utility>

namespace halocline {
namespace {

Stencil all_directions(std::size_t dimensions) { return Stencil::moore(dimensions, 1); }

}  // namespace

Halo::Halo(const Cart& cart, const HaloSlots& fields, const HaloOptions& options) {
  require(cart.takes_part(), "a halo on a process that has no part in the grid ", cart.grid().to_text());
  const Stencil directions = options.directions ? *options.directions : halo::directions_of(cart.stencil());
  state_ = halo::create(cart.comm(), cart.decomposition(), directions, fields, options);
  if (state_->verifies) verify();
}

Halo::Halo(MPI_Comm cart, const HaloSlots& fields, const HaloOptions& options) {
  mpi::require_intracommunicator(cart);
  const std::size_t dimensions = mpi::grid_of(cart).dimensions();
  state_ = halo::create(cart, nullptr, options.directions ? *options.directions : all_directions(dimensions),
                        fields, options);
  if (state_->verifies) verify();
}

Halo::Halo(MPI_Comm cart, const Decomposition& decomposition, const HaloSlots& fields,
           const HaloOptions& options) {
  mpi::require_intracommunicator(cart);
  const std::size_t dimensions = decomposition.grid().dimensions();
  state_ =
      halo::create(cart, &decomposition,
                   options.directions ? *options.directions : all_directions(dimensions), fields, options);
  if (state_->verifies) verify();
}

Halo::Halo() noexcept = default;
Halo::Halo(Halo&& other) noexcept = default;
Halo& Halo::operator=(Halo&& other) noexcept {
  state_ = std::move(other.state_);
  if (state_) state_->stop_following();
  return *this;
}
Halo::~Halo() {
  if (state_ && state_->prints) std::fprintf(stderr, "halocline: rank 0: %s", statistics().to_text().c_str());
}

Halo::State& Halo::state() const {
  require(state_ != nullptr, "the halo is empty: it was made of nothing, or moved from; assign one to it");
  return *state_;
}

void Halo::start() {
  State& state = this->state();
  state.require_comm();
  state.require_rest();
  state.choose_followed();
  state.require_memory();
  state.require_idle();
  state.start();
}

void Halo::start(void* stream) {
  State& state = this->state();
  state.require_comm();
  state.require_rest();
  state.choose_followed();
  state.require_memory();
  state.start_on(stream);
}

void Halo::start_with(std::span<const void* const> memories) {
  State& state = this->state();
  state.require_comm();
  state.require_rest();
  state.choose_told(memories);
  state.require_memory();
  state.require_idle();
  state.start();
}

void Halo::start_with(std::span<const FieldView* const> fields) {
  State& state = this->state();
  state.require_comm();
  state.require_rest();
  state.choose_views(fields);
  state.require_memory();
  state.require_idle();
  state.start();
}

void Halo::start_with(std::span<const void* const> memories, void* stream) {
  State& state = this->state();
  state.require_comm();
  state.require_rest();
  state.choose_told(memories);
  state.require_memory();
  state.start_on(stream);
}

bool Halo::test() {
  State& state = this->state();
  if (state.on_stream) return state.device_done(false);
  if (state.accumulation && !state.accumulation->test()) return false;
  if (state.stage) return state.stage->test();
  bool complete = true;
  for (const std::size_t turn : state.current) complete = state.turns[turn].test() && complete;
  return complete;
}

void Halo::wait() { state().wait(); }
void Halo::wait(void* stream) {
  State& state = this->state();
  // What the host has waited for is done: nothing is left for the stream to wait for.
  if (!state.on_stream) return state.wait();
  state.end_on(stream);
}
bool Halo::active() const { return state().active(); }

std::size_t Halo::fields() const { return state().slots.size(); }
const Decomposition& Halo::decomposition() const { return state().decomposition; }
const Stencil& Halo::directions() const { return state().directions; }
const Exchange& Halo::exchanged() const { return state().turns[state().current.front()].exchange; }

plan::Explanation Halo::plan() const {
  const State& state = this->state();
  std::vector<FieldView> fields;
  for (const std::size_t memory : state.turns.front().memories) fields.push_back(state.memories[memory]);
  plan::Explanation plan = exchange::explained(state.turns.front().exchange, [&](const Machine& machine) {
    return halo::problem_of(state.decomposition, state.filling, fields, machine);
  });
  if (const std::string beyond = halo::beyond_plan(state); !beyond.empty())
    plan.plan.reasons.push_back("Not counted here: " + beyond + ".");
  return plan;
}

}  // namespace halocline
