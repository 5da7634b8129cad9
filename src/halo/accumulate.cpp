// SPDX-License-Identifier: BSD-3-Clause
// Sums of halos, asked for: what is needed for them is made at the first of them.

#include "halo/accumulate.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "halo/devices/device_fields.hpp"
#include "halo/fields/check_slots.hpp"
#include "halo/halo_state.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"

#include <array>
#include <optional>

namespace halocline {
namespace {

void require_way(Accumulate how) {
  const std::size_t index = to_index(how);
  require(index <= to_index(Accumulate::replace), "there is no way number ", index,
          " to accumulate; it is sum, min, max or replace");
}

std::vector<halo::NamedMemory> named_memories(const HaloState& state) {
  std::vector<halo::NamedMemory> named;
  for (std::size_t s = 0; s < state.slots.size(); ++s)
    for (std::size_t m = 0; m < state.slots[s].count; ++m)
      named.push_back({state.memories[state.slots[s].first + m], halo::name_of(s, m, state.slots[s].count)});
  return named;
}

void require_host(const HaloState& state) {
  const halo::DeviceFields found = halo::device_fields(state.memories);
  const std::vector<halo::NamedMemory> named = named_memories(state);
  for (std::size_t m = 0; m < named.size(); ++m)
    if (found.has(m))
      fail(Fault::unsupported, named[m].name,
           " lies on a device; what is in the halos of fields there cannot be accumulated yet");
}

/// What must be right on every process before anything is made together.
void prepare(HaloState& state, Accumulate how, const std::function<void()>& require_rest) {
  require_way(how);
  state.require_comm();
  require_rest();
  state.choose_followed();
  state.require_memory();
}

/// Others may come here only once what is under way has moved, so that goes on meanwhile. Collective.
void prepare_together(HaloState& state, Accumulate how, const std::function<void()>& require_rest) {
  std::optional<Error> error;
  const auto work = [&] {
    prepare(state, how, require_rest);
    require_host(state);
    if (state.stage)
      fail(Fault::unsupported,
           "what is in the halos of fields at any address cannot be accumulated yet; make the halo for fixed "
           "ones (halocline_addresses)");
    if (state.sides)
      fail(Fault::unsupported, "what is in halos beyond sides that are described cannot be accumulated yet (",
           state.sides->sides().to_text(), "); make another halo without it (halocline_sides)");
    return true;
  };
  (void)mpi::attempted(work, error);
  const auto number = static_cast<Count>(how);
  std::array<Count, 3> least{error ? 0 : 1, number, -number};
  state.context->find_least(least);
  if (least[0] == 0) mpi::agree(state.comm, error);
  require(least[1] == -least[2],
          "some processes accumulate in another way than others; it is sum, min, max or replace on all");
}

void make_accumulation(HaloState& state) {
  const halo::Filling filling(state.decomposition.grid(), state.directions, Borders::keep);
  std::vector<halo::Turn> turns;
  for (const HaloState::Turn& turn : state.turns) turns.push_back(turn.memories);
  state.accumulation = std::make_unique<halo::Accumulation>(
      *state.context, named_memories(state), turns,
      halo::Ground{state.users_comm.comm(), state.decomposition, state.cell, filling, state.options.get()});
}

}  // namespace

void halo::start_accumulate(const Halo& halo, Accumulate how, const std::function<void()>& require_rest) {
  HaloState& state = state_of(halo);
  if (state.accumulation) {
    prepare(state, how, require_rest);
  } else {
    prepare_together(state, how, require_rest);
    make_accumulation(state);
  }
  state.accumulation->require_numbers(how, state.current);
  state.accumulation->start(how, state.current);
}

void Halo::start_accumulate(Accumulate how) {
  const State& state = this->state();
  halo::start_accumulate(*this, how, [&] { state.require_rest(); });
}

}  // namespace halocline
