// SPDX-License-Identifier: BSD-3-Clause
#include "halo/create.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/planning/create.hpp"
#include "halo/devices/device_fields.hpp"
#include "halo/ends.hpp"
#include "halo/fields/check_slots.hpp"
#include "halo/fields/field_identity.hpp"
#include "halo/fields/field_memory.hpp"
#include "halo/fields/staggering.hpp"
#include "halo/in_common.hpp"
#include "halo/points/filling.hpp"
#include "halo/points/ground.hpp"
#include "halo/points/regions.hpp"
#include "halo/sides_of.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"

#include <algorithm>

namespace halocline {
namespace {

using halo::Ground;

/// All that must be the same on every rank, as text.
std::string description(const std::vector<HaloSlot>& slots, const Stencil& directions, Borders borders,
                        Addresses addresses) {
  std::string text = directions.to_text() + (borders == Borders::carry ? " carry" : "") +
                     (addresses == Addresses::any ? " any" : "");
  for (const HaloSlot& slot : slots) {
    const FieldView& field = slot.memories().front();
    text +=
        concat(";", field.element().size(), " ", join(field.halo().low, ","), " ",
               join(field.halo().high, ","), " ", slot.memories().size(), " ", join(field.staggered(), ","));
  }
  return text;
}

/// The mesh that the own points of all processes make up. Collective.
Decomposition gathered_mesh(MPI_Comm comm, const Grid& grid, const FieldView& field) {
  const Counts extents = halo::cells_of(field);
  const std::size_t dimensions = grid.dimensions();
  Counts all(dimensions * to_size(grid.size()));
  HALOCLINE_MPI(Allgather, extents.data(), to_int(dimensions), MPI_INT64_T, all.data(), to_int(dimensions),
                MPI_INT64_T, comm);
  std::vector<Counts> slabs;
  for (const Count extent : grid.extents()) slabs.emplace_back(to_size(extent), 0);
  for (Rank rank = 0; rank < grid.size(); ++rank) {
    const Cell cell = grid.cell(rank);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Count extent = all[to_size(rank) * dimensions + d];
      Count& slab = slabs[d][to_size(cell[d])];
      if (slab != 0 && slab != extent)
        fail(Fault::invalid_dimensions, "fields of ", slab, " and of ", extent, " points along dimension ", d,
             " at coordinate ", cell[d], " of the process grid ", grid.to_text(), ": they make up no mesh");
      slab = extent;
    }
  }
  return Decomposition(grid, slabs);
}

void require_own_points(const Decomposition& decomposition, const Cell& cell, const FieldView& field) {
  const Counts own = decomposition.box(cell).extents;
  if (halo::cells_of(field) != own)
    fail(Fault::invalid_dimensions, "a field of ", halo::points_text(field), "; of the mesh ",
         decomposition.mesh().to_text(), " on ", decomposition.grid().to_text(), " processes the one at (",
         join(cell, ","), ") owns ", join(own, "x"));
}

bool verification_wanted(const mpi::Environment& environment) {
  const std::string word = mpi::setting("", MPI_INFO_NULL, "", settings::verify.variable, "0", environment);
  require(word == "0" || word == "1", settings::verify.variable, " is \"", word, "\"; it is 0 or 1");
  return word == "1";
}

bool printing_wanted(const ExchangeOptions& options, const mpi::Environment& environment) {
  return exchange::wanted_statistics(options, environment) == StatisticsChoice::print;
}

/// Rank 0 prints: what it is told by its caller is its own business, but not by whose environment.
bool environment_decides(const ExchangeOptions& options) {
  return !options.statistics && !mpi::info_value(options.info, settings::statistics.key);
}

std::vector<FieldView> memories_of(const std::vector<HaloSlot>& slots) {
  std::vector<FieldView> memories;
  for (const HaloSlot& slot : slots)
    memories.insert(memories.end(), slot.memories().begin(), slot.memories().end());
  return memories;
}

std::vector<HaloState::Slot> following(const std::vector<HaloSlot>& slots) {
  std::vector<HaloState::Slot> list;
  std::size_t first = 0;
  for (const HaloSlot& slot : slots) {
    const void* const address = slot.memories().front().origin();
    list.push_back({first, slot.memories().size(), followed_by(slot), address, address, first});
    first += slot.memories().size();
  }
  return list;
}

/// Collective.
Exchange exchange_of(const std::vector<FieldView>& fields, const Ground& ground) {
  const halo::Orders orders = halo::agreed_orders(ground.comm, fields);
  const Stencil offsets = ground.filling.offsets(fields);
  const Neighborhood neighborhood(ground.comm, offsets);
  const halo::DeviceFields on_device = halo::device_fields(fields);
  const halo::InCommon common =
      halo::in_common(*state_of(neighborhood)->context, fields, on_device, ground.options);
  halo::Route route;
  if (common.some_on_device) route.emplace(fields, on_device, orders, neighborhood, ground, common.device);
  return exchange::create(
      neighborhood, Operation::alltoall,
      [&] { return halo::ends_of(fields, orders, offsets, ground, common.seen, route); }, ground.options);
}

/// An exchange for all memories that may come together. Collective.
std::vector<HaloState::Turn> exchanges_of(const std::vector<FieldView>& memories,
                                          const std::vector<HaloState::Slot>& slots, const Ground& ground) {
  std::vector<std::size_t> counts;
  counts.reserve(slots.size());
  for (const HaloState::Slot& slot : slots) counts.push_back(slot.count);
  const halo::Turns wanted = halo::turns_of(counts);
  std::vector<HaloState::Turn> turns;
  const auto add = [&](const halo::Turn& turn, bool counts_one) {
    std::vector<FieldView> fields;
    for (const std::size_t memory : turn) fields.push_back(memories[memory]);
    turns.push_back({turn, exchange_of(fields, ground), counts_one, halo::known_memory(fields)});
  };
  for (const halo::Turn& turn : wanted.together) add(turn, true);
  const auto rotating =
      std::find_if(slots.begin(), slots.end(), [](const HaloState::Slot& slot) { return slot.count > 1; });
  for (const halo::Turn& turn : wanted.apart)
    add(turn, turn.front() >= rotating->first && turn.front() < rotating->first + rotating->count);
  return turns;
}

/// Throws what does not go at any address.
void require_any_address(const std::vector<HaloSlot>& slots, const halo::DeviceFields& on_device) {
  std::size_t number = 0;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const std::vector<FieldView>& memories = slots[s].memories();
    for (std::size_t m = 0; m < memories.size(); ++m, ++number) {
      if (on_device.has(number))
        fail(Fault::unsupported, halo::name_of(s, m, memories.size()),
             " lies on a device; fields there cannot be exchanged at any address yet, only at fixed ones (",
             settings::addresses.key, ")");
      halo::require_alike(s, memories[m], memories.front());
    }
  }
}

std::unique_ptr<halo::Stage> stage_of(const std::vector<HaloSlot>& slots) {
  std::vector<FieldView> fields;
  std::vector<std::vector<halo::Stage::Known>> known;
  for (const HaloSlot& slot : slots) {
    fields.push_back(slot.memories().front());
    known.emplace_back();
    for (const FieldView& memory : slot.memories())
      if (memory_of(memory)) known.back().push_back({memory.origin(), memory_of(memory)});
  }
  return std::make_unique<halo::Stage>(std::move(fields), std::move(known));
}

/// One for all memories. Collective.
HaloState::Turn staged_exchange_of(halo::Stage& stage, const std::vector<FieldView>& memories,
                                   const std::vector<HaloState::Slot>& slots, const Ground& ground) {
  halo::Turn turn;
  std::vector<FieldView> fields;
  for (const HaloState::Slot& slot : slots) {
    turn.push_back(slot.first);
    fields.push_back(memories[slot.first]);
  }
  const halo::Orders orders = halo::agreed_orders(ground.comm, fields);
  const Stencil offsets = ground.filling.offsets(fields);
  Exchange exchange = exchange::create(
      Neighborhood(ground.comm, offsets), Operation::alltoall,
      [&] { return stage.ends(orders, offsets, ground); }, ground.options);
  stage.time_copies(exchange.statistics().timed);
  return {turn, std::move(exchange), true, {}};
}

struct Checked {
  Grid grid;
  Borders borders;
  Addresses addresses;
  Sides sides;
  halo::Filling filling;
  bool verifies, prints;
};

/// Collective.
Checked checked(MPI_Comm comm, const Decomposition* known, const Stencil& directions,
                const std::vector<HaloSlot>& slots, const HaloOptions& options) {
  return mpi::agreed_by_first(
      comm,
      [&](const mpi::Environment& environment) {
        Grid grid = mpi::grid_of(comm);
        if (known != nullptr && known->grid() != grid)
          fail(Fault::invalid_dimensions, "a mesh cut for ", known->grid().to_text(),
               " processes on a communicator of ", grid.to_text());
        halo::check_slots(slots, grid.dimensions());
        if (directions.dimensions() != grid.dimensions())
          fail(Fault::invalid_dimensions, "directions of ", directions.dimensions(),
               " components; the process grid has ", grid.dimensions(), " dimensions");
        const Borders borders = halo::wanted_borders(options);
        halo::Filling filling(grid, directions, borders);
        return Checked{std::move(grid),
                       borders,
                       halo::wanted_addresses(options),
                       halo::wanted_sides(options),
                       std::move(filling),
                       verification_wanted(environment),
                       printing_wanted(options.exchange, environment)};
      },
      [&](const Checked& own) {
        return mpi::fingerprint(concat(description(slots, directions, own.borders, own.addresses), ";",
                                       own.sides.to_text(), ";", own.verifies, " ",
                                       own.prints && environment_decides(options.exchange)));
      },
      "the number of fields, how many memories rotate, sizes of elements, widths, "
      "staggered dimensions, directions, ghost points beyond open borders, the sides of the mesh, addresses, "
      "or who prints statistics,");
}

}  // namespace

Borders halo::wanted_borders(const HaloOptions& options) {
  if (options.borders) return *options.borders;
  const std::string word = mpi::info_value(options.exchange.info, settings::borders.key).value_or("keep");
  require(word == "keep" || word == "carry", settings::borders.key, " is \"", word,
          "\"; it is keep or carry");
  return word == "carry" ? Borders::carry : Borders::keep;
}

Addresses halo::wanted_addresses(const HaloOptions& options) {
  if (options.addresses) return *options.addresses;
  const std::string word = mpi::info_value(options.exchange.info, settings::addresses.key).value_or("fixed");
  require(word == "fixed" || word == "any", settings::addresses.key, " is \"", word,
          "\"; it is fixed or any");
  return word == "any" ? Addresses::any : Addresses::fixed;
}

std::unique_ptr<HaloState> halo::create(MPI_Comm comm, const Decomposition* known, const Stencil& directions,
                                        const HaloSlots& fields, const HaloOptions& options) {
  mpi::require_intracommunicator(comm);
  const Checked own = checked(comm, known, directions, fields.list(), options);
  std::vector<FieldView> memories = memories_of(fields.list());
  Decomposition decomposition = known != nullptr ? *known : gathered_mesh(comm, own.grid, memories.front());
  const Cell cell = own.grid.cell(mpi::rank(comm));
  std::unique_ptr<SideMap> sides = mpi::agreed(comm, [&] {
    require_own_points(decomposition, cell, memories.front());
    for (const FieldView& memory : memories) require_narrow(decomposition, memory);
    const DeviceFields on_device = device_fields(memories);
    if (own.addresses == Addresses::any) require_any_address(fields.list(), on_device);
    return side_map_of(own.sides, decomposition, directions, fields.list(), own.borders, own.addresses,
                       on_device.device != nullptr);
  });
  std::vector<HaloState::Slot> slots = following(fields.list());
  const Ground ground{comm, decomposition, cell, own.filling, options.exchange};
  std::unique_ptr<Stage> stage;
  if (own.addresses == Addresses::any) stage = stage_of(fields.list());
  std::vector<HaloState::Turn> turns;
  if (stage)
    turns.push_back(staged_exchange_of(*stage, memories, slots, ground));
  else
    turns = exchanges_of(memories, slots, ground);
  const Neighborhood neighborhood(comm, offsets_filling(directions));
  auto state = std::make_unique<HaloState>(HaloState{std::move(memories),
                                                     std::move(slots),
                                                     std::move(decomposition),
                                                     cell,
                                                     directions,
                                                     own.filling,
                                                     state_of(neighborhood)->context->comm(),
                                                     mpi::CommLife(comm),
                                                     std::move(turns),
                                                     {0},
                                                     false,
                                                     mpi::rank(comm) == 0 && own.prints,
                                                     own.verifies,
                                                     own.verifies});
  state->options = KeptOptions(options.exchange);
  state->stage = std::move(stage);
  state->context = state_of(neighborhood)->context;
  state->sides = std::move(sides);
  fill_beyond(*state, options.exchange);
  return state;
}

}  // namespace halocline
