// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction/sending.hpp"

#include "base/index.hpp"
#include "schedule/on_grid.hpp"
#include "schedule/process/local.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace halocline::plan {
namespace {

/// Not further than around the grid, so that sums of two stay in 64 bits.
Offset reduced(const Grid& grid, std::span<const Count> offset) {
  Offset result(offset.begin(), offset.end());
  for (std::size_t d = 0; d < result.size(); ++d) {
    const Count extent = grid.extents()[d];
    result[d] = grid.periodic(d) ? result[d] % extent : std::clamp(result[d], -extent, extent);
  }
  return result;
}

/// Seen from the sender of messages: their receivers, and where their blocks come from and go to.
std::vector<Offset> looked_at(const Grid& grid, const Schedule& schedule) {
  std::vector<Offset> offsets;
  const std::size_t dimensions = grid.dimensions();
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const Schedule::Round round = schedule.round(r);
    offsets.push_back(reduced(grid, round.peer));
    for (std::size_t m = 0; m < round.moves.size(); ++m) {
      Offset origin = reduced(grid, round.travelled.subspan(m * dimensions, dimensions));
      for (Count& step : origin) step = -step;
      for (const std::int32_t neighbour : schedule.served(round.moves[m])) {
        Offset target = reduced(grid, schedule.offset(to_index(neighbour)));
        for (std::size_t d = 0; d < dimensions; ++d) target[d] += origin[d];
        offsets.push_back(std::move(target));
      }
      offsets.push_back(std::move(origin));
    }
  }
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  return offsets;
}

/// And at the borders on which the sizes of blocks depend, one by one.
std::vector<Offset> with_borders(std::vector<Offset> looked_at, const std::vector<BorderPoints>& points) {
  std::set<Offset> all(looked_at.begin(), looked_at.end());
  for (const BorderPoints& some : points)
    for (std::size_t d = 0; d < some.beyond.size(); ++d) {
      if (some.beyond[d] == 0) continue;
      Offset step(some.beyond.size(), 0);
      step[d] = some.beyond[d];
      all.insert(std::move(step));
    }
  return {all.begin(), all.end()};
}

Sending sending_of(const Placed& placed, const Schedule& schedule, Carried carried) {
  auto walk = std::make_shared<MessageWalk>(schedule, placed.sizes(), carried, placed.node_of_cell);
  return {[walk](Count cell, const MessageWalk::OnMessage& message) { walk->from(cell, message); },
          with_borders(looked_at(placed.placement.grid(), schedule), placed.problem.border_points)};
}

Sending without_empty(Sending all) {
  return {[messages = std::move(all.messages)](Count cell, const MessageWalk::OnMessage& message) {
            messages(cell, [&](Count peer, Count bytes) {
              if (bytes > 0) message(peer, bytes);
            });
          },
          std::move(all.looks_at)};
}

/// One block to everybody who gets it.
void gathered_messages(const Placed& placed, Carried carried, Count cell,
                       const MessageWalk::OnMessage& message) {
  const Grid& grid = placed.placement.grid();
  const Cell coordinates = grid.cell(cell);
  const Count bytes = placed.sizes().bytes(0, coordinates);
  Counts peers;
  for (const Offset& offset : placed.problem.stencil.offsets())
    if (const Count peer = grid.index_at(coordinates, offset); peer != Lattice::nowhere)
      peers.push_back(peer);
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  const auto node = [&](Count of) { return placed.node_of_cell[to_index(of)]; };
  for (const Count peer : peers) {
    const bool stays = node(peer) == node(cell);
    if (carried == Carried::all || stays == (carried == Carried::staying)) message(peer, bytes);
  }
}

/// Of a schedule that forwards what is gathered: a block may be for several others.
void forwarded_gathers(const Placed& placed, const Schedule& schedule, Count cell,
                       const MessageWalk::OnMessage& message) {
  const Grid& grid = placed.placement.grid();
  const auto node = [&](Count of) { return placed.node_of_cell[to_index(of)]; };
  const Count block = placed.sizes().bytes(0, grid.cell(0));
  const LocalSchedule local(schedule, grid, cell,
                            [&](Count origin, Count target) { return node(origin) != node(target); });
  for (std::size_t r = 0; r < local.rounds(); ++r)
    if (const LocalSchedule::Round round = local.round(r); round.to != LocalSchedule::nobody)
      message(round.to, block * std::ssize(round.sends));
}

Sending forwarded(const Placed& placed, const Schedule& schedule) {
  if (placed.operation() == Operation::alltoall) return sending_of(placed, schedule, Carried::leaving);
  return {[&placed, &schedule](Count cell, const MessageWalk::OnMessage& message) {
            forwarded_gathers(placed, schedule, cell, message);
          },
          looked_at(placed.placement.grid(), schedule)};
}

}  // namespace

Sending direct_sending(const Placed& placed, Carried carried) {
  if (placed.operation() == Operation::allgather)
    return {[&placed, carried](Count cell, const MessageWalk::OnMessage& message) {
              gathered_messages(placed, carried, cell, message);
            },
            placed.problem.stencil.offsets()};
  return without_empty(sending_of(placed,
                                  schedule::on(schedule::algorithm("direct"), placed.problem.stencil,
                                               Operation::alltoall, placed.placement.grid()),
                                  carried));
}

Sending plain_sending(const Placed& placed) {
  return without_empty(sending_of(
      placed, schedule::algorithm("direct").make(placed.problem.stencil, Operation::alltoall), Carried::all));
}

Sending combined_sending(const Placed& placed, const Schedule& schedule) {
  Sending staying = direct_sending(placed, Carried::staying), leaving = forwarded(placed, schedule);
  std::vector<Offset> looks_at = std::move(staying.looks_at);
  looks_at.insert(looks_at.end(), leaving.looks_at.begin(), leaving.looks_at.end());
  return {[staying = std::move(staying.messages), leaving = std::move(leaving.messages)](
              Count cell, const MessageWalk::OnMessage& message) {
            staying(cell, message);
            leaving(cell, message);
          },
          std::move(looks_at)};
}

}  // namespace halocline::plan
