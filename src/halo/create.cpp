// SPDX-License-Identifier: BSD-3-Clause
#include "halo/create.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/settings.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/choice.hpp"
#include "exchange/planning/create.hpp"
#include "exchange/planning/device_messages.hpp"
#include "halo/check_slots.hpp"
#include "halo/device_fields.hpp"
#include "halo/device_route.hpp"
#include "halo/field_identity.hpp"
#include "halo/field_memory.hpp"
#include "halo/filling.hpp"
#include "halo/ground.hpp"
#include "halo/problem.hpp"
#include "halo/regions.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"
#include "plan/messages/message_walk.hpp"
#include "plan/transport/device_message_choice.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace halocline {
namespace {

using halo::Ground;
using halo::Orders;

/// All that must be the same on every rank, as text.
std::string description(const std::vector<HaloSlot>& slots, const Stencil& directions, Borders borders) {
  std::string text = directions.to_text() + (borders == Borders::carry ? " carry" : "");
  for (const HaloSlot& slot : slots) {
    const FieldView& field = slot.memories().front();
    text += concat(";", field.element().size(), " ", join(field.halo().low, ","), " ",
                   join(field.halo().high, ","), " ", slot.memories().size());
  }
  return text;
}

/// What is true of the fields of all processes.
struct InCommon {
  /// Can processes of a node copy straight from each other's fields? If all give the same fields of the
  /// library, which lie in memory that their nodes share: those are arranged as every process can work out,
  /// of elements that are the same everywhere. Anything else is packed and unpacked by each process as it
  /// lies there.
  bool seen;
  bool some_on_device;  ///< On some process.
  halo::DeviceRoute::InCommon device;
};

/// What a process that has fields on its device allows. Nonsense is told when the exchange is made, with the
/// environment that counts.
struct Allowed {
  bool one_copy = false, device_messages = false;
};
Allowed allowed(const ExchangeOptions& options) {
  std::optional<Error> refusal;
  const auto read = [&] {
    const exchange::Choice wanted = exchange::wanted(options);
    const bool may = plan::may_pack_on_device(wanted.asked, wanted.wire == exchange::Wire::automatic);
    return Allowed{wanted.one_copy, may && exchange::wants_device_messages(options.info)};
  };
  return mpi::attempted(read, refusal).value_or(Allowed{});
}

/// Collective.
InCommon in_common(const exchange::Context& context, const std::vector<FieldView>& fields,
                   const halo::DeviceFields& on_device, const ExchangeOptions& options) {
  Counts numbers;
  for (const FieldView& field : fields)
    if (memory_of(field) && memory_of(field)->is_seen(field, context))
      numbers.push_back(memory_of(field)->number);
  const auto print = static_cast<Count>(mpi::fingerprint(join(numbers, ",")));
  const bool here = on_device.device != nullptr;
  const Allowed allows = here ? allowed(options) : Allowed{};
  const bool all_here = std::all_of(on_device.memories.begin(), on_device.memories.end(),
                                    [](const auto& memory) { return memory; });
  const auto kinds = here ? static_cast<Count>(mpi::fingerprint(on_device.to_text(fields))) : 0;
  std::array<Count, 8> least{numbers.size() == fields.size() ? 1 : 0,
                             print,
                             ~print,
                             here ? 0 : 1,
                             kinds,
                             ~kinds,
                             allows.one_copy ? 1 : 0,
                             allows.device_messages && all_here ? 1 : 0};
  context.find_least(least);
  return {least[0] == 1 && least[1] == ~least[2],
          least[3] == 0,
          {least[4] == ~least[5], least[6] == 1, least[7] == 1}};
}

/// The mesh that the own points of all processes make up. Collective.
Decomposition gathered_mesh(MPI_Comm comm, const Grid& grid, const Counts& extents) {
  const std::size_t dimensions = grid.dimensions();
  Counts all(dimensions * static_cast<std::size_t>(grid.size()));
  HALOCLINE_MPI(Allgather, extents.data(), static_cast<int>(dimensions), MPI_INT64_T, all.data(),
                static_cast<int>(dimensions), MPI_INT64_T, comm);
  std::vector<Counts> slabs;
  for (const Count extent : grid.extents()) slabs.emplace_back(static_cast<std::size_t>(extent), 0);
  for (Rank rank = 0; rank < grid.size(); ++rank) {
    const Cell cell = grid.cell(rank);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Count extent = all[static_cast<std::size_t>(rank) * dimensions + d];
      Count& slab = slabs[d][static_cast<std::size_t>(cell[d])];
      if (slab != 0 && slab != extent)
        fail(Fault::invalid_dimensions, "fields of ", slab, " and of ", extent, " points along dimension ", d,
             " at coordinate ", cell[d], " of the process grid ", grid.to_text(), ": they make up no mesh");
      slab = extent;
    }
  }
  return Decomposition(grid, slabs);
}

void require_own_points(const Decomposition& decomposition, const Cell& cell, const Counts& extents) {
  const Counts own = decomposition.box(cell).extents;
  if (extents != own)
    fail(Fault::invalid_dimensions, "a field of ", join(extents, "x"), " own points; of the mesh ",
         decomposition.mesh().to_text(), " on ", decomposition.grid().to_text(), " processes the one at (",
         join(cell, ","), ") owns ", join(own, "x"));
}

/// The order in which points travel: that of the first process, so that it is the same everywhere even where
/// the arrays are not. Collective.
Orders agreed_orders(MPI_Comm comm, const std::vector<FieldView>& fields) {
  const std::size_t dimensions = fields.front().dimensions();
  std::vector<int> all;
  for (const FieldView& field : fields) {
    std::vector<int> order(dimensions);
    std::iota(order.begin(), order.end(), 0);
    const auto distance = [&](int d) { return std::abs(field.strides()[static_cast<std::size_t>(d)]); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return distance(a) > distance(b); });
    all.insert(all.end(), order.begin(), order.end());
  }
  HALOCLINE_MPI(Bcast, all.data(), static_cast<int>(all.size()), MPI_INT, 0, comm);
  Orders orders;
  for (auto next = all.begin(); next != all.end(); next += static_cast<std::ptrdiff_t>(dimensions))
    orders.emplace_back(next, next + static_cast<std::ptrdiff_t>(dimensions));
  return orders;
}

Count number_of_address(const void* address) {
  return static_cast<Count>(reinterpret_cast<std::intptr_t>(address));
}

using Staged = halo::DeviceRoute::Staged;
const Staged* not_staged(std::size_t /*field*/) { return nullptr; }

/// The parts of all fields as one block, or what stands for those of a device.
template <class PartsOf, class StagedOf>
Block block_of(const std::vector<FieldView>& fields, const Orders& orders, const PartsOf& parts_of,
               const StagedOf& staged_of) {
  Counts addresses;
  std::vector<Layout> layouts;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (const Staged* const staged = staged_of(f)) {
      addresses.push_back(number_of_address(staged->memory));
      layouts.push_back(Layout::contiguous(staged->bytes, Layout::named(Elementary::byte)));
      continue;
    }
    for (const FieldView::Part& part : parts_of(fields[f])) {
      addresses.push_back(number_of_address(fields[f].at(part.first)));
      layouts.push_back(fields[f].layout(part, orders[f]));
    }
  }
  const Counts ones(addresses.size(), 1);
  return {nullptr, Layout::structure(ones, std::move(addresses), std::move(layouts))};
}

/// The fields as they lie in another process of the node, at the addresses they have here.
std::vector<FieldView> fields_of(const std::vector<FieldView>& fields, const Decomposition& decomposition,
                                 Rank rank) {
  const Counts extents = decomposition.box(decomposition.grid().cell(rank)).extents;
  std::vector<FieldView> theirs;
  for (const FieldView& field : fields) {
    const FieldArrangement arrangement =
        arrange(extents, field.halo(), field.element().extent(), memory_of(field)->order);
    theirs.emplace_back(memory_of(field)->of(rank) + arrangement.origin, field.element(), extents,
                        arrangement.strides, field.halo());
  }
  return theirs;
}

using Route = std::optional<halo::DeviceRoute>;  ///< None if no process has a field on a device.

/// Of what a process sends along an offset as a block, all fields.
Count bytes_sent(const std::vector<FieldView>& fields, const Ground& ground, const Route& route,
                 const Cell& cell, const Offset& offset) {
  Count bytes = 0;
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (!route || route->carries(f, cell, offset))
      bytes = checked_add(bytes, halo::bytes_sent(fields[f], ground, cell, offset));
  return bytes;
}

template <class StagedOf>
Block sent_block(const std::vector<FieldView>& fields, const Orders& orders, const Ground& ground,
                 const Cell& cell, const Offset& offset, const StagedOf& staged_of) {
  return block_of(
      fields, orders,
      [&](const FieldView& field) {
        return ground.filling.sent(cell, field.extents(), field.halo(), offset);
      },
      staged_of);
}

exchange::Ends ends_of(const std::vector<FieldView>& fields, const Orders& orders, const Stencil& offsets,
                       const Ground& ground, bool shared, const Route& route) {
  const Decomposition& decomposition = ground.decomposition;
  exchange::Ends ends;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Offset& offset = offsets.offsets()[i];
    ends.send.push_back(sent_block(fields, orders, ground, ground.cell, offset,
                                   [&](std::size_t f) { return route ? route->sent(f, i) : nullptr; }));
    ends.receive.push_back(block_of(
        fields, orders,
        [&](const FieldView& field) {
          return ground.filling.received(ground.cell, field.extents(), field.halo(), offset);
        },
        [&](std::size_t f) { return route ? route->received(f, i) : nullptr; }));
  }
  if (route) ends.device = route->side();
  const auto offset_of = [&offsets](int block) -> const Offset& {
    return offsets.offsets()[static_cast<std::size_t>(block)];
  };
  if (!decomposition.even() || (route && route->makes_uneven()) ||
      !plan::same_for_all(ground.filling.border_points(fields, offsets), decomposition.grid()))
    ends.sizes = [&fields, &ground, &route, offset_of](Rank writer, int block) {
      return bytes_sent(fields, ground, route, ground.decomposition.grid().cell(writer), offset_of(block));
    };
  ends.described = [&fields, &ground](const Machine& machine) {
    return halo::problem_of(ground.decomposition, ground.filling, fields, machine);
  };
  if (shared)
    ends.seen_here = [&fields, &orders, &ground, offset_of](Rank writer, int block) {
      return sent_block(fields_of(fields, ground.decomposition, writer), orders, ground,
                        ground.decomposition.grid().cell(writer), offset_of(block), not_staged);
    };
  return ends;
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
  const Orders orders = agreed_orders(ground.comm, fields);
  const Stencil offsets = ground.filling.offsets(fields);
  const Neighborhood neighborhood(ground.comm, offsets);
  const halo::DeviceFields on_device = halo::device_fields(fields);
  const InCommon common = in_common(*state_of(neighborhood)->context, fields, on_device, ground.options);
  Route route;
  if (common.some_on_device) route.emplace(fields, on_device, orders, neighborhood, ground, common.device);
  return exchange::create(
      neighborhood, Operation::alltoall,
      [&] { return ends_of(fields, orders, offsets, ground, common.seen, route); }, ground.options);
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

Borders wanted_borders(const HaloOptions& options) {
  if (options.borders) return *options.borders;
  const std::string word = mpi::info_value(options.exchange.info, settings::borders.key).value_or("keep");
  require(word == "keep" || word == "carry", settings::borders.key, " is \"", word,
          "\"; it is keep or carry");
  return word == "carry" ? Borders::carry : Borders::keep;
}

struct Checked {
  Grid grid;
  Borders borders;
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
        const Borders borders = wanted_borders(options);
        halo::Filling filling(grid, directions, borders);
        return Checked{std::move(grid), borders, std::move(filling), verification_wanted(environment),
                       printing_wanted(options.exchange, environment)};
      },
      [&](const Checked& own) {
        return mpi::fingerprint(concat(description(slots, directions, own.borders), ";", own.verifies, " ",
                                       own.prints && environment_decides(options.exchange)));
      },
      "the number of fields, how many memories rotate, the size of their elements, the widths of their "
      "halos, the directions, what becomes of ghost points beyond open borders, or who says whether "
      "statistics are printed,");
}

}  // namespace

std::unique_ptr<HaloState> halo::create(MPI_Comm comm, const Decomposition* known, const Stencil& directions,
                                        const HaloSlots& fields, const HaloOptions& options) {
  mpi::require_intracommunicator(comm);
  const Checked own = checked(comm, known, directions, fields.list(), options);
  std::vector<FieldView> memories = memories_of(fields.list());
  Decomposition decomposition =
      known != nullptr ? *known : gathered_mesh(comm, own.grid, memories.front().extents());
  const Cell cell = own.grid.cell(mpi::rank(comm));
  (void)mpi::agreed(comm, [&] {
    require_own_points(decomposition, cell, memories.front().extents());
    for (const FieldView& memory : memories) require_narrow(decomposition, memory.halo());
    (void)device_fields(memories);
    return 0;
  });
  std::vector<HaloState::Slot> slots = following(fields.list());
  std::vector<HaloState::Turn> turns =
      exchanges_of(memories, slots, {comm, decomposition, cell, own.filling, options.exchange});
  const Neighborhood neighborhood(comm, offsets_filling(directions));
  return std::make_unique<HaloState>(HaloState{std::move(memories),
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
}

}  // namespace halocline
