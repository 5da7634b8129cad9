// SPDX-License-Identifier: BSD-3-Clause
// Which memories a halo exchanges at a start: those that its slots have then.

#include "halo/halo_state.hpp"

#include "base/fail.hpp"
#include "exchange/planning/create.hpp"
#include "halo/fields/check_slots.hpp"
#include "halo/fields/field_memory.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <iterator>

namespace halocline {
namespace {

using Slot = HaloState::Slot;

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

bool begins_at(const FieldView& memory, const void* address) {
  return memory.origin() == address || halo::first_point(memory) == address;
}

/// The memory at an address: one of those of the slot, else that of another slot; `nowhere` if there is none.
std::size_t memory_at(const HaloState& state, const Slot& slot, const void* address) {
  for (std::size_t m = slot.first; m < slot.first + slot.count; ++m)
    if (begins_at(state.memories[m], address)) return m;
  for (std::size_t m = 0; m < state.memories.size(); ++m)
    if (state.memories[m].origin() == address) return m;
  return nowhere;
}

std::size_t slot_of(const std::vector<Slot>& slots, std::size_t memory) {
  std::size_t slot = 0;
  while (memory >= slots[slot].first + slots[slot].count) ++slot;
  return slot;
}

[[noreturn]] void refuse_unknown(std::size_t slot, const void* address) {
  fail(Fault::invalid_argument, "field ", slot, " has the memory at ", address,
       " now, for which the halo was not made; name all fields that change places when it is made: "
       "rotating(now, next), HCL_Halo_create_rotating; or make it for any: "
       "HaloOptions::addresses, halocline_addresses");
}

void require_number(std::size_t given, const char* what, std::size_t slots) {
  require(given == slots, given, " ", what, " for a halo of ", slots, " fields");
}

}  // namespace

void Halo::State::require_comm() const {
  require(!users_comm.ended(), "the communicator of the halo was freed");
}

void Halo::State::require_rest() const {
  require(!active(), "the halo was started and is not complete yet; wait for it first");
}

void Halo::State::require_memory() const {
  for (const std::size_t turn : current) require_memory(turns[turn]);
}

void Halo::State::require_memory(const Turn& turn) const {
  for (const halo::KnownMemory& known : turn.known) {
    if (known.is_there()) continue;
    const std::size_t memory = turn.memories[known.field], slot = slot_of(slots, memory);
    fail(Fault::invalid_argument, halo::name_of(slot, memory - slots[slot].first, slots[slot].count),
         " lay in memory at ", known.base, " on ", known.device->name(),
         " that was freed after the halo was made; a halo lives no longer than its fields");
  }
}

void Halo::State::require_idle() const {
  for (std::size_t i = 0; watches && i < current.size(); ++i)
    exchange::require_idle(turns[current[i]].exchange);
}

void Halo::State::start_on(void* stream) {
  const bool alone = std::all_of(current.begin(), current.end(), [&](std::size_t turn) {
    return exchange::goes_on_stream(turns[turn].exchange);
  });
  for (const std::size_t turn : current)
    if (alone) exchange::start_on(turns[turn].exchange, stream);
  if (!alone) start_after(stream);
  on_stream = alone;
}

/// The order is of concern to those turns of which something lies on a device.
void Halo::State::start_after(void* stream) {
  std::vector<std::size_t> on_device;
  std::copy_if(current.begin(), current.end(), std::back_inserter(on_device),
               [&](std::size_t turn) { return exchange::has_device(turns[turn].exchange); });
  if (on_device.empty()) exchange::require_stream(turns[current.front()].exchange, stream);  // throws
  for (const std::size_t turn : on_device) exchange::begin_after(turns[turn].exchange, stream);
  start();
}

void Halo::State::end_on(void* stream) {
  for (const std::size_t turn : current) exchange::require_stream(turns[turn].exchange, stream);
  for (const std::size_t turn : current) exchange::end_on(turns[turn].exchange, stream);
  on_stream = false;
}

bool Halo::State::device_done(bool waits) {
  bool done = true;
  for (const std::size_t turn : current) done = exchange::device_done(turns[turn].exchange, waits) && done;
  on_stream = !done;
  return done;
}

bool Halo::State::active() const {
  if (accumulation && accumulation->active()) return true;
  return on_stream || std::any_of(current.begin(), current.end(),
                                  [&](std::size_t turn) { return turns[turn].exchange.active(); });
}

std::vector<std::size_t> Halo::State::turns_with(const halo::Turn& wanted) const {
  for (std::size_t t = 0; t < turns.size(); ++t)
    if (turns[t].memories == wanted) return {t};
  std::vector<std::size_t> parts;
  for (std::size_t t = 0; t < turns.size(); ++t)
    if (std::includes(wanted.begin(), wanted.end(), turns[t].memories.begin(), turns[t].memories.end()))
      parts.push_back(t);
  return parts;
}

template <class AddressOf>
void Halo::State::choose(const AddressOf& address_of) {
  halo::Turn wanted(slots.size(), nowhere), had(slots.size());
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const void* const address = address_of(s);
    had[s] = memory_at(*this, slots[s], address);
    if (had[s] == nowhere) refuse_unknown(s, address);
    // Fields of two slots that changed places are exchanged as before.
    std::size_t& place = wanted[slot_of(slots, had[s])];
    require(place == nowhere, "field ", s, " has the memory at ", address,
            " now, and another field that, or one named beside it; of the memories that were named together "
            "one is exchanged");
    place = had[s];
  }
  current = turns_with(wanted);
  for (std::size_t s = 0; s < slots.size(); ++s) {
    slots[s].has = had[s];
    slots[s].seen = address_of(s);
  }
}

void Halo::State::choose_followed() {
  const auto address_of = [&](std::size_t s) {
    return slots[s].followed ? slots[s].followed->current() : slots[s].told;
  };
  bool same = true;
  for (std::size_t s = 0; s < slots.size(); ++s) same = address_of(s) == slots[s].seen && same;
  if (same) return;
  for (Slot& slot : slots)
    if (slot.followed) FieldIdentity::skip_gone(slot.followed);
  if (!stage) return choose(address_of);
  std::vector<const void*> origins;
  std::vector<std::shared_ptr<FieldView::Memory>> found(slots.size());
  for (std::size_t s = 0; s < slots.size(); ++s) {
    origins.push_back(address_of(s));
    if (!slots[s].followed || origins[s] == nullptr || origins[s] == slots[s].seen) continue;
    found[s] = slots[s].followed->now().storage.lock();
    require(found[s] != nullptr, "field ", s, " was destroyed after it had got other memory, which is gone");
    stage->require_alike(s, *found[s]->whole);
  }
  move_to(origins);
  for (std::size_t s = 0; s < slots.size(); ++s)
    if (found[s]) stage->keep(s, std::move(found[s]));
}

void Halo::State::move_to(const std::vector<const void*>& origins) {
  stage->move_to(origins);
  for (std::size_t s = 0; s < slots.size(); ++s) slots[s].seen = origins[s];
}

void Halo::State::choose_views(std::span<const FieldView* const> fields) {
  require_number(fields.size(), "fields", slots.size());
  std::vector<const void*>& origins = told_origins;
  origins.clear();
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const FieldView& field = *fields[s];
    if (stage) {
      stage->require_alike(s, field);
    } else {
      const std::size_t memory = memory_at(*this, slots[s], field.origin());
      if (memory == nowhere) refuse_unknown(s, field.origin());
      halo::require_alike(s, field, memories[memory]);
    }
    origins.push_back(field.origin());
  }
  if (!stage) return choose_told(origins);
  move_to(origins);
  for (std::size_t s = 0; s < slots.size(); ++s) {
    slots[s].told = origins[s];
    stage->keep(s, memory_of(*fields[s]));
  }
}

void Halo::State::choose_told(std::span<const void* const> addresses) {
  require_number(addresses.size(), "addresses", slots.size());
  if (stage) {
    std::vector<const void*>& origins = told_origins;
    origins.clear();
    for (std::size_t s = 0; s < slots.size(); ++s) origins.push_back(stage->origin_at(s, addresses[s]));
    move_to(origins);
    for (std::size_t s = 0; s < slots.size(); ++s) slots[s].told = origins[s];
    return;
  }
  choose([&](std::size_t s) { return addresses[s]; });
  for (std::size_t s = 0; s < slots.size(); ++s) slots[s].told = addresses[s];
}

void Halo::State::stop_following() {
  for (Slot& slot : slots) {
    if (slot.count > 1 || !slot.followed) continue;
    slot.followed.reset();
    slot.told = stage ? slot.seen : memories[slot.first].origin();
  }
}

}  // namespace halocline
