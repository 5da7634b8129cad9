#include "halocline/halo/halo.hpp"

#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/log.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "exchange/planning/create.hpp"
#include "halo/field_memory.hpp"
#include "halo/halo_state.hpp"
#include "halo/problem.hpp"
#include "halo/regions.hpp"
#include "halocline/base/error.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

namespace halocline {
namespace {

using Orders = std::vector<std::vector<std::size_t>>;  ///< For each field its dimensions, slowest first.

/// All that must be the same on every rank, as text.
std::string description(const std::vector<FieldView>& fields, const Stencil& directions) {
  std::string text = directions.to_text();
  for (const FieldView& field : fields)
    text += concat(";", field.element().size(), " ", join(field.halo().low, ","), " ",
                   join(field.halo().high, ","));
  return text;
}

void check_fields(const std::vector<FieldView>& fields, std::size_t dimensions) {
  require(!fields.empty(), "a halo of no fields");
  for (std::size_t f = 0; f < fields.size(); ++f) {
    require(fields[f].dimensions() > 0, "field ", f, " was moved from; use the one that it was moved to");
    require(fields[f].origin() != nullptr, "field ", f, " begins at a null pointer; it needs memory");
    if (fields[f].dimensions() != dimensions)
      fail(Fault::invalid_dimensions, "field ", f, " has ", fields[f].dimensions(),
           " dimensions, the process grid ", dimensions);
    if (fields[f].extents() != fields.front().extents())
      fail(Fault::invalid_dimensions, "field ", f, " has ", join(fields[f].extents(), "x"),
           " own points, field 0 ", join(fields.front().extents(), "x"));
  }
}

/// Can processes of a node copy straight from each other's fields? If all give the same fields of the
/// library, which lie in memory that their nodes share: those are arranged as every process can work out, of
/// elements that are the same everywhere. Anything else is packed and unpacked by each process as it lies
/// there. Collective.
bool all_seen(const exchange::Context& context, const std::vector<FieldView>& fields) {
  Counts numbers;
  for (const FieldView& field : fields)
    if (field.memory() && field.memory()->is_seen(field, context)) numbers.push_back(field.memory()->number);
  const auto print = static_cast<Count>(mpi::fingerprint(join(numbers, ",")));
  std::array<Count, 3> least{numbers.size() == fields.size() ? 1 : 0, print, ~print};
  context.find_least(least);
  return least[0] == 1 && least[1] == ~least[2];
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

/// The parts of all fields as one block.
Block fused(const std::vector<FieldView>& fields, const Orders& orders,
            const std::vector<FieldView::Part>& parts) {
  Counts addresses;
  std::vector<Layout> layouts;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (std::count(parts[f].count.begin(), parts[f].count.end(), 0) != 0) continue;
    addresses.push_back(static_cast<Count>(reinterpret_cast<std::intptr_t>(fields[f].at(parts[f].first))));
    layouts.push_back(fields[f].layout(parts[f], orders[f]));
  }
  const Counts ones(addresses.size(), 1);
  return {nullptr, Layout::structure(ones, std::move(addresses), std::move(layouts))};
}

template <class PartOf>
Block block_of(const std::vector<FieldView>& fields, const Orders& orders, const Offset& offset,
               const PartOf& part_of) {
  std::vector<FieldView::Part> parts;
  parts.reserve(fields.size());
  for (const FieldView& field : fields) parts.push_back(part_of(field.extents(), field.halo(), offset));
  return fused(fields, orders, parts);
}

/// The fields as they lie in another process of the node, at the addresses they have here.
std::vector<FieldView> fields_of(const std::vector<FieldView>& fields, const Decomposition& decomposition,
                                 Rank rank) {
  const Counts extents = decomposition.box(decomposition.grid().cell(rank)).extents;
  std::vector<FieldView> theirs;
  for (const FieldView& field : fields) {
    const FieldArrangement arrangement =
        arrange(extents, field.halo(), field.element().extent(), field.memory()->order);
    theirs.emplace_back(field.memory()->of(rank) + arrangement.origin, field.element(), extents,
                        arrangement.strides, field.halo());
  }
  return theirs;
}

exchange::Ends ends_of(const std::vector<FieldView>& fields, const Orders& orders, const Stencil& offsets,
                       const Stencil& directions, const Decomposition& decomposition, bool shared) {
  exchange::Ends ends;
  for (const Offset& offset : offsets.offsets()) {
    ends.send.push_back(block_of(fields, orders, offset, halo::sent_part));
    ends.receive.push_back(block_of(fields, orders, offset, halo::received_part));
  }
  if (!decomposition.even())
    ends.sizes = [&fields, &offsets, &decomposition](Rank writer, int block) {
      const Cell cell = decomposition.grid().cell(writer);
      Count bytes = 0;
      for (const FieldView& field : fields)
        bytes = checked_add(
            bytes, checked_multiply(field.element().size(),
                                    halo::points_sent(decomposition, cell, field.halo(),
                                                      offsets.offsets()[static_cast<std::size_t>(block)])));
      return bytes;
    };
  ends.described = [&fields, &directions, &decomposition](const Machine& machine) {
    return halo::problem_of(decomposition, directions, fields, machine);
  };
  if (shared)
    ends.seen_here = [&fields, &orders, &offsets, &decomposition](Rank writer, int block) {
      return block_of(fields_of(fields, decomposition, writer), orders,
                      offsets.offsets()[static_cast<std::size_t>(block)], halo::sent_part);
    };
  return ends;
}

/// Those along which at least one field has a halo, as the plan counts them; as they are if there is none.
/// The widths are the same on all processes. @pre no process is without points
Stencil that_send(const Stencil& offsets, const std::vector<FieldView>& fields) {
  std::vector<Offset> some;
  for (const Offset& offset : offsets.offsets())
    if (std::any_of(fields.begin(), fields.end(), [&](const FieldView& field) {
          const Counts count = halo::sent_part(field.extents(), field.halo(), offset).count;
          return std::find(count.begin(), count.end(), 0) == count.end();
        }))
      some.push_back(offset);
  return some.empty() ? offsets : Stencil(std::move(some));
}

Stencil all_directions(std::size_t dimensions) { return Stencil::moore(dimensions, 1); }

bool verification_wanted(const mpi::Environment& environment) {
  const std::string word = mpi::setting("", MPI_INFO_NULL, "", "HALOCLINE_VERIFY", "0", environment);
  require(word == "0" || word == "1", "HALOCLINE_VERIFY is \"", word, "\"; it is 0 or 1");
  return word == "1";
}

bool printing_wanted(const ExchangeOptions& options, const mpi::Environment& environment) {
  return mpi::setting(options.statistics, options.info, "halocline_statistics", "HALOCLINE_STATISTICS", "off",
                      environment) == "print";
}

/// Rank 0 prints: what it is told by its caller is its own business, but not by whose environment.
bool environment_decides(const ExchangeOptions& options) {
  return options.statistics.empty() && !mpi::info_value(options.info, "halocline_statistics");
}

std::unique_ptr<Halo::State> created(MPI_Comm comm, const Decomposition* known, const Stencil& directions,
                                     std::vector<FieldView> fields, const ExchangeOptions& options) {
  mpi::require_intracommunicator(comm);
  struct Checked {
    Grid grid;
    Stencil offsets;
    bool verifies, prints;
  };
  const Checked checked = mpi::agreed_by_first(
      comm,
      [&](const mpi::Environment& environment) {
        Grid grid = mpi::grid_of(comm);
        if (known != nullptr && known->grid() != grid)
          fail(Fault::invalid_dimensions, "a mesh cut for ", known->grid().to_text(),
               " processes on a communicator of ", grid.to_text());
        check_fields(fields, grid.dimensions());
        if (directions.dimensions() != grid.dimensions())
          fail(Fault::invalid_dimensions, "directions of ", directions.dimensions(),
               " components; the process grid has ", grid.dimensions(), " dimensions");
        return Checked{std::move(grid), halo::offsets_filling(directions), verification_wanted(environment),
                       printing_wanted(options, environment)};
      },
      [&](const Checked& own) {
        return mpi::fingerprint(concat(description(fields, directions), ";", own.verifies, " ",
                                       own.prints && environment_decides(options)));
      },
      "the number of fields, the size of their elements, the widths of their halos, the directions, or who "
      "says whether statistics are printed,");
  Decomposition decomposition =
      known != nullptr ? *known : gathered_mesh(comm, checked.grid, fields.front().extents());
  const Cell cell = checked.grid.cell(mpi::rank(comm));
  (void)mpi::agreed(comm, [&] {
    require_own_points(decomposition, cell, fields.front().extents());
    for (const FieldView& field : fields) halo::require_narrow(decomposition, field.halo());
    return 0;
  });
  const Orders orders = agreed_orders(comm, fields);
  const Stencil offsets = that_send(checked.offsets, fields);
  const Neighborhood neighborhood(comm, offsets);
  const bool shared = all_seen(*neighborhood.state()->context, fields);
  Exchange exchange = exchange::create(
      neighborhood, Operation::alltoall,
      [&] { return ends_of(fields, orders, offsets, directions, decomposition, shared); }, options);
  return std::make_unique<Halo::State>(Halo::State{
      std::move(fields), std::move(decomposition), cell, directions, neighborhood.state()->context->comm(),
      mpi::CommLife(comm), std::move(exchange), mpi::rank(comm) == 0 && checked.prints, checked.verifies});
}

}  // namespace

void Halo::State::require_comm() const {
  require(!users_comm.ended(), "the communicator of the halo was freed");
}

Halo::Halo(const Cart& cart, std::vector<FieldView> fields, const HaloOptions& options) {
  require(cart.takes_part(), "a halo on a process that has no part in the grid ", cart.grid().to_text());
  const Stencil directions = options.directions ? *options.directions : halo::directions_of(cart.stencil());
  state_ = created(cart.comm(), cart.decomposition(), directions, std::move(fields), options.exchange);
  if (state_->verifies) verify();
}

Halo::Halo(MPI_Comm cart, std::vector<FieldView> fields, const HaloOptions& options) {
  mpi::require_intracommunicator(cart);
  const std::size_t dimensions = mpi::grid_of(cart).dimensions();
  state_ = created(cart, nullptr, options.directions ? *options.directions : all_directions(dimensions),
                   std::move(fields), options.exchange);
  if (state_->verifies) verify();
}

Halo::Halo(MPI_Comm cart, const Decomposition& decomposition, std::vector<FieldView> fields,
           const HaloOptions& options) {
  mpi::require_intracommunicator(cart);
  const std::size_t dimensions = decomposition.grid().dimensions();
  state_ =
      created(cart, &decomposition, options.directions ? *options.directions : all_directions(dimensions),
              std::move(fields), options.exchange);
  if (state_->verifies) verify();
}

Halo::Halo(Halo&& other) noexcept = default;
Halo& Halo::operator=(Halo&& other) noexcept = default;
Halo::~Halo() {
  if (state_ && state_->prints) std::fprintf(stderr, "halocline: rank 0: %s", statistics().to_text().c_str());
}

Halo::State& Halo::state() const {
  require(state_ != nullptr, "the halo was moved from; use the one that it was moved to");
  return *state_;
}

void Halo::start() {
  state().require_comm();
  state_->exchange.start();
}
bool Halo::test() { return state().exchange.test(); }
void Halo::wait() { state().exchange.wait(); }
bool Halo::active() const { return state().exchange.active(); }

const Decomposition& Halo::decomposition() const { return state().decomposition; }
const Stencil& Halo::directions() const { return state().directions; }
const Exchange& Halo::exchanged() const { return state().exchange; }

plan::Explanation Halo::plan() const {
  const State& state = this->state();
  return exchange::explained(state.exchange, [&](const Machine& machine) {
    return halo::problem_of(state.decomposition, state.directions, state.fields, machine);
  });
}

}  // namespace halocline
