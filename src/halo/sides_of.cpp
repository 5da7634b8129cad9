// SPDX-License-Identifier: BSD-3-Clause
#include "halo/sides_of.hpp"

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "exchange/planning/choice.hpp"
#include "halo/ends.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/settings/info.hpp"

namespace halocline {

Sides halo::wanted_sides(const HaloOptions& options) {
  if (options.sides) return *options.sides;
  return Sides::parse(mpi::info_value(options.exchange.info, settings::sides.key).value_or(""));
}

std::unique_ptr<halo::SideMap> halo::side_map_of(const Sides& sides, const Decomposition& decomposition,
                                                 const Stencil& directions,
                                                 const std::vector<HaloSlot>& slots, Borders borders,
                                                 Addresses addresses, bool on_device) {
  if (sides.empty()) {
    require(sides.at().empty(), "it is said where the points of fields are (", sides.to_text(),
            "), but no side of the mesh is described (", settings::sides.key, ")");
    return nullptr;
  }
  const auto refuse = [&](const char* what) {
    fail(Fault::unsupported, "the sides of the mesh are described (", sides.to_text(), "), and ", what);
  };
  if (borders == Borders::carry) refuse("ghost points are to be carried along borders; only one goes");
  if (addresses == Addresses::any) refuse("fields are at any address; with sides only fixed ones go yet");
  if (on_device) refuse("a field lies on a device; fields there have no described sides yet");
  auto map = std::make_unique<SideMap>(sides, decomposition, directions);
  for (const Side& side : sides.list())
    for (const Side::Odd& odd : side.odd)
      require(odd.field == Side::Odd::all || odd.field < slots.size(), "field ", odd.field,
              " is to change its sign beyond a side (", sides.to_text(), "); the halo has ", slots.size(),
              " fields, counted from 0");
  require(sides.at().size() <= slots.size(), "it is said where the points of field ", sides.at().size() - 1,
          " are (", sides.to_text(), "); the halo has ", slots.size(), " fields, counted from 0");
  for (std::size_t s = 0; s < slots.size(); ++s) {
    map->require_narrow(s, slots[s].memories().front().halo());
    for (const FieldView& memory : slots[s].memories()) {
      if (!memory.staggered().empty()) refuse("a field is staggered; sides know fields of cells alone yet");
      require_signs(sides, {memory, s, known_numbers(memory.element())});
    }
  }
  return map;
}

std::vector<halo::SideField> halo::side_fields(const std::vector<FieldView>& memories,
                                               const std::vector<HaloState::Slot>& slots, const Turn& turn) {
  std::vector<SideField> fields;
  for (const std::size_t memory : turn) {
    std::size_t slot = 0;
    while (memory >= slots[slot].first + slots[slot].count) ++slot;
    fields.push_back({memories[memory], slot, known_numbers(memories[memory].element())});
  }
  return fields;
}

void halo::fill_beyond(HaloState& state, const ExchangeOptions& options) {
  if (!state.sides) return;
  for (HaloState::Turn& turn : state.turns) {
    std::vector<SideField> fields = side_fields(state.memories, state.slots, turn.memories);
    std::vector<FieldView> views;
    views.reserve(fields.size());
    for (const SideField& field : fields) views.push_back(field.view);
    const Orders orders = agreed_orders(state.comm, views);
    const int tag = state.context->take_tags(1);
    turn.beyond = mpi::agreed(state.comm, [&] {
      return std::make_unique<SideExchange>(state.context, *state.sides, fields, orders,
                                            exchange::wanted(options), tag);
    });
  }
}

std::string halo::beyond_plan(const HaloState& state) {
  if (!state.sides) return "";
  const SideTraffic traffic =
      side_traffic(*state.sides, side_fields(state.memories, state.slots, state.turns.front().memories));
  return concat("beyond the sides of the mesh (", state.sides->sides().to_text(), ") ",
                traffic.others.messages, " messages of ", traffic.others.bytes, " bytes in all, at most ",
                traffic.most.messages, " messages and ", traffic.most.bytes, " bytes from a process; ",
                traffic.self.bytes, " bytes stay in their process");
}

}  // namespace halocline
