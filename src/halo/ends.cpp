// SPDX-License-Identifier: BSD-3-Clause
#include "halo/ends.hpp"

#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halo/fields/field_memory.hpp"
#include "halo/fields/staggering.hpp"
#include "halo/points/problem.hpp"
#include "mpi/handles/call.hpp"
#include "plan/messages/message_walk.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace halocline {
namespace {

using halo::Ground;
using halo::Orders;
using halo::Route;
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
      addresses.push_back(to_count(staged->memory));
      layouts.push_back(Layout::contiguous(staged->bytes, Layout::named(Elementary::byte)));
      continue;
    }
    for (const FieldView::Part& part : parts_of(fields[f])) {
      addresses.push_back(to_count(fields[f].at(part.first)));
      layouts.push_back(fields[f].layout(part, orders[f]));
    }
  }
  const Counts ones(addresses.size(), 1);
  return {nullptr, Layout::structure(ones, std::move(addresses), std::move(layouts))};
}

/// The fields as they lie in another process of the node, at the addresses they have here.
std::vector<FieldView> fields_of(const std::vector<FieldView>& fields, const Decomposition& decomposition,
                                 Rank rank) {
  const Counts cells = decomposition.box(decomposition.grid().cell(rank)).extents;
  std::vector<FieldView> theirs;
  for (const FieldView& field : fields) {
    const Counts extents = halo::points_on(cells, field.staggered());
    const FieldArrangement arrangement =
        arrange(extents, field.halo(), field.element().extent(), memory_of(field)->order);
    theirs.push_back(staggered({memory_of(field)->of(rank) + arrangement.origin, field.element(), extents,
                                arrangement.strides, field.halo()},
                               field.staggered()));
  }
  return theirs;
}

/// Of what a process sends along an offset as a block, all fields.
Count block_bytes(const std::vector<FieldView>& fields, const Ground& ground, const Route& route,
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
      fields, orders, [&](const FieldView& field) { return ground.filling.sent(cell, field, offset); },
      staged_of);
}

/// What a process has received along an offset.
Block halo_block(const std::vector<FieldView>& fields, const Orders& orders, const Ground& ground,
                 const Cell& cell, const Offset& offset) {
  return block_of(
      fields, orders, [&](const FieldView& field) { return ground.filling.received(cell, field, offset); },
      not_staged);
}

Count halo_bytes(const std::vector<FieldView>& fields, const Ground& ground, const Cell& cell,
                 const Offset& offset) {
  const Counts cells = ground.decomposition.box(cell).extents;
  Count bytes = 0;
  for (const FieldView& field : fields)
    bytes = checked_add(bytes, halo::bytes_of(field, ground.filling.received(cell, cells, field, offset)));
  return bytes;
}

/// The same messages the other way round.
plan::Problem turned(plan::Problem problem) {
  const Stencil back = halo::against(problem.stencil);
  const auto sorted = [](std::vector<Offset> offsets) {
    std::sort(offsets.begin(), offsets.end());
    return offsets;
  };
  const bool both_ways = sorted(back.offsets()) == sorted(problem.stencil.offsets());
  if (!both_ways || !problem.point_bytes.empty()) problem.stencil = back;
  return problem;
}

}  // namespace

Orders halo::agreed_orders(MPI_Comm comm, const std::vector<FieldView>& fields) {
  const std::size_t dimensions = fields.front().dimensions();
  std::vector<int> all;
  for (const FieldView& field : fields) {
    std::vector<int> order(dimensions);
    std::iota(order.begin(), order.end(), 0);
    const auto distance = [&](int d) { return std::abs(field.strides()[to_size(d)]); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return distance(a) > distance(b); });
    all.insert(all.end(), order.begin(), order.end());
  }
  HALOCLINE_MPI(Bcast, all.data(), to_int(all.size()), MPI_INT, 0, comm);
  Orders orders;
  for (auto next = all.begin(); next != all.end(); next += static_cast<std::ptrdiff_t>(dimensions))
    orders.emplace_back(next, next + static_cast<std::ptrdiff_t>(dimensions));
  return orders;
}

exchange::Ends halo::ends_of(const std::vector<FieldView>& fields, const Orders& orders,
                             const Stencil& offsets, const Ground& ground, bool seen, const Route& route) {
  const Decomposition& decomposition = ground.decomposition;
  exchange::Ends ends;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Offset& offset = offsets.offsets()[i];
    ends.send.push_back(sent_block(fields, orders, ground, ground.cell, offset,
                                   [&](std::size_t f) { return route ? route->sent(f, i) : nullptr; }));
    ends.receive.push_back(block_of(
        fields, orders,
        [&](const FieldView& field) { return ground.filling.received(ground.cell, field, offset); },
        [&](std::size_t f) { return route ? route->received(f, i) : nullptr; }));
  }
  if (route) ends.device = route->side();
  const auto offset_of = [&offsets](int block) -> const Offset& { return offsets.offsets()[to_size(block)]; };
  if (!decomposition.even() || (route && route->makes_uneven()) ||
      !plan::same_for_all(ground.filling.border_points(fields, offsets), decomposition.grid()))
    ends.sizes = [&fields, &ground, &route, offset_of](Rank writer, int block) {
      return block_bytes(fields, ground, route, ground.decomposition.grid().cell(writer), offset_of(block));
    };
  ends.described = [&fields, &ground](const Machine& machine) {
    return problem_of(ground.decomposition, ground.filling, fields, machine);
  };
  if (seen)
    ends.seen_here = [&fields, &orders, &ground, offset_of](Rank writer, int block) {
      return sent_block(fields_of(fields, ground.decomposition, writer), orders, ground,
                        ground.decomposition.grid().cell(writer), offset_of(block), not_staged);
    };
  return ends;
}

Stencil halo::against(const Stencil& offsets) {
  std::vector<Offset> back;
  for (const Offset& offset : offsets.offsets()) {
    Offset& opposite = back.emplace_back();
    for (const Count step : offset) opposite.push_back(-step);
  }
  return Stencil(std::move(back));
}

exchange::Ends halo::ends_back_of(const std::vector<FieldView>& fields, const Orders& orders,
                                  const Stencil& offsets, const Ground& ground, bool seen,
                                  const std::vector<std::byte*>& arrived) {
  exchange::Ends ends;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Offset& offset = offsets.offsets()[i];
    Count bytes = 0;
    for (const FieldView& field : fields)
      bytes = checked_add(bytes, bytes_sent(field, ground, ground.cell, offset));
    ends.send.push_back(halo_block(fields, orders, ground, ground.cell, offset));
    ends.receive.push_back({arrived[i], Layout::contiguous(bytes, Layout::named(Elementary::byte))});
  }
  const auto offset_of = [&offsets](int block) -> const Offset& { return offsets.offsets()[to_size(block)]; };
  if (!ground.decomposition.even() ||
      !plan::same_for_all(ground.filling.border_points(fields, offsets), ground.decomposition.grid()))
    ends.sizes = [&fields, &ground, offset_of](Rank writer, int block) {
      return halo_bytes(fields, ground, ground.decomposition.grid().cell(writer), offset_of(block));
    };
  ends.described = [&fields, &ground](const Machine& machine) {
    return turned(problem_of(ground.decomposition, ground.filling, fields, machine));
  };
  if (seen)
    ends.seen_here = [&fields, &orders, &ground, offset_of](Rank writer, int block) {
      return halo_block(fields_of(fields, ground.decomposition, writer), orders, ground,
                        ground.decomposition.grid().cell(writer), offset_of(block));
    };
  return ends;
}

}  // namespace halocline
