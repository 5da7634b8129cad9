// SPDX-License-Identifier: BSD-3-Clause
#include "plan/messages/message_walk.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::plan {
namespace {

constexpr std::size_t most_entries = std::size_t{1} << 27;
constexpr Count nobody = -1;
constexpr Count no_block = -1;

/// The coordinate `step` further on, or nobody. Sums of coordinates and steps may leave 64 bits: compare
/// first.
Count moved(const Grid& grid, std::size_t dimension, Count coordinate, Count step) {
  const Count extent = grid.extents()[dimension];
  if (grid.periodic(dimension)) return floor_modulo(coordinate + step % extent, extent);
  return step < -coordinate || step >= extent - coordinate ? nobody : coordinate + step;
}

/// Has the process on a cell open borders on all these sides?
bool lies_at(const Grid& grid, std::span<const Count> cell, const Offset& beyond) {
  for (std::size_t d = 0; d < cell.size(); ++d)
    if (beyond[d] != 0 && (grid.periodic(d) || cell[d] != (beyond[d] < 0 ? Count{0} : grid.extents()[d] - 1)))
      return false;
  return true;
}

Offset backwards(std::span<const Count> travelled) {
  Offset back;
  for (const Count step : travelled) back.push_back(checked_subtract(0, step));
  return back;
}

}  // namespace

Count BlockSizes::points(std::size_t neighbour, std::size_t dimension, Count coordinate) const {
  const Count extent = decomposition.extent(dimension, coordinate);
  return stencil.offsets()[neighbour][dimension] == 0 ? extent : std::min(halo[dimension], extent);
}

Count BlockSizes::point_bytes(std::size_t neighbour) const {
  return each.empty() ? checked_multiply(stencil.weights()[neighbour], field_bytes) : each[neighbour];
}

Count BlockSizes::bytes(std::size_t neighbour, std::span<const Count> cell) const {
  Count bytes = point_bytes(neighbour);
  for (std::size_t d = 0; d < cell.size(); ++d)
    bytes = checked_multiply(bytes, points(neighbour, d, cell[d]));
  return checked_add(bytes, border_bytes(neighbour, cell));
}

std::span<const BorderPoints> BlockSizes::border_points_to(std::size_t neighbour) const {
  const auto [first, last] =
      std::equal_range(border_points.begin(), border_points.end(), BorderPoints{neighbour, {}, 0},
                       [](const BorderPoints& a, const BorderPoints& b) { return a.neighbor < b.neighbor; });
  return {first, last};
}

Count BlockSizes::border_bytes(std::size_t neighbour, std::span<const Count> cell) const {
  Count all = 0;
  for (const BorderPoints& points : border_points_to(neighbour)) {
    if (!lies_at(decomposition.grid(), cell, points.beyond)) continue;
    const Offset& offset = stencil.offsets()[neighbour];
    Count bytes = points.point_bytes;
    for (std::size_t d = 0; d < cell.size(); ++d)
      if (offset[d] == 0 && points.beyond[d] == 0)
        bytes = checked_multiply(bytes, decomposition.extent(d, cell[d]));
    all = checked_add(all, bytes);
  }
  return all;
}

Count BlockSizes::border_point_bytes(std::size_t neighbour) const {
  Count all = 0;
  for (const BorderPoints& points : border_points_to(neighbour)) all = checked_add(all, points.point_bytes);
  return all;
}

bool BlockSizes::even() const {
  return decomposition.even() && same_for_all(border_points, decomposition.grid());
}

bool same_for_all(const std::vector<BorderPoints>& points, const Grid& grid) {
  return std::all_of(points.begin(), points.end(), [&](const BorderPoints& some) {
    for (std::size_t d = 0; d < some.beyond.size(); ++d)
      if (some.beyond[d] != 0 && !grid.periodic(d) && grid.extents()[d] > 1) return false;
    return true;
  });
}

MessageWalk::MessageWalk(const Schedule& schedule, const BlockSizes& sizes, Carried carried,
                         const NodeOfCell& node_of_cell)
    : grid_(sizes.decomposition.grid()),
      sizes_(sizes),
      node_of_cell_(node_of_cell),
      carried_(carried),
      even_(sizes.even()) {
  const std::size_t dimensions = grid_.dimensions();
  strides_.assign(dimensions, 1);
  for (std::size_t d = dimensions - 1; d-- > 0;) strides_[d] = strides_[d + 1] * grid_.extents()[d + 1];
  low_.assign(dimensions, 0);
  high_.assign(dimensions, 0);
  const auto coordinates = to_size(std::accumulate(grid_.extents().begin(), grid_.extents().end(), Count{0}));
  const std::size_t moves_and_rounds = schedule.parts().moves.size() + schedule.rounds();
  if (moves_and_rounds > most_entries / coordinates)
    fail(Fault::unsupported, moves_and_rounds, " moves and rounds on a grid of ", grid_.to_text(),
         " are too many to be counted; at most ", most_entries / coordinates);
  Counts point_bytes;
  for (std::size_t r = 0; r < schedule.rounds(); ++r) add_hop(schedule, r, point_bytes);
  check_total(point_bytes);
  const Cell first(dimensions, 0);
  for (Hop& hop : hops_) {
    hop.to_peer = difference(hop.peer);
    reach(hop.peer, first);
  }
  for (Block& block : blocks_) {
    block.bytes = block_bytes(block, first);
    block.to_origin = difference(block.back);
    block.to_target = difference(block.ahead);
    reach(block.back, first);
    reach(block.back, block.ahead);
  }
}

void MessageWalk::add_hop(const Schedule& schedule, std::size_t round_number, Counts& point_bytes) {
  const Schedule::Round round = schedule.round(round_number);
  const std::size_t first_block = blocks_.size(), dimensions = grid_.dimensions();
  for (std::size_t m = 0; m < round.moves.size(); ++m) {
    const auto neighbour = to_index(schedule.served(round.moves[m]).front());
    const Count own_bytes = sizes_.point_bytes(neighbour);
    point_bytes.push_back(checked_add(own_bytes, sizes_.border_point_bytes(neighbour)));
    Offset back = backwards(round.travelled.subspan(m * dimensions, dimensions));
    const std::span<const Count> ahead = schedule.offset(neighbour);
    if (leads_nowhere(round.peer) || leads_nowhere(back) || leads_nowhere(ahead)) continue;
    const bool own = std::all_of(back.begin(), back.end(), [](Count step) { return step == 0; });
    blocks_.push_back(
        {neighbour, std::move(back), Offset(ahead.begin(), ahead.end()), own_bytes, 0, 0, 0, own});
  }
  if (first_block < blocks_.size())
    hops_.push_back({Offset(round.peer.begin(), round.peer.end()), 0, first_block, blocks_.size()});
}

void MessageWalk::check_total(const Counts& point_bytes) const try {
  // No block has more points than the largest share of the mesh.
  Count points = 1;
  for (std::size_t d = 0; d < grid_.dimensions(); ++d)
    points = checked_multiply(points, sizes_.decomposition.largest_extent(d));
  Count total = 0;
  for (const Count bytes : point_bytes) total = checked_add(total, checked_multiply(bytes, points));
  (void)checked_multiply(total, grid_.size());
} catch (const Error& error) {
  fail(error.fault(), "the bytes of all messages on the mesh ", sizes_.decomposition.mesh().to_text(), ": ",
       error.what());
}

bool MessageWalk::leads_nowhere(std::span<const Count> offset) const {
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const Count extent = grid_.extents()[d];
    if (!grid_.periodic(d) && (offset[d] <= -extent || offset[d] >= extent)) return true;
  }
  return false;
}

Count MessageWalk::difference(const Offset& offset) const {
  Count difference = 0;
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const Count extent = grid_.extents()[d];
    difference += std::clamp(offset[d], -extent, extent) * strides_[d];
  }
  return difference;
}

void MessageWalk::reach(const Offset& first, const Offset& second) {
  for (std::size_t d = 0; d < first.size(); ++d) {
    const Count extent = grid_.extents()[d];
    const Count step = std::clamp(first[d], -extent, extent) + std::clamp(second[d], -extent, extent);
    low_[d] = std::min(low_[d], step);
    high_[d] = std::max(high_[d], step);
  }
}

bool MessageWalk::inner(const Cell& cell) const {
  for (std::size_t d = 0; d < cell.size(); ++d)
    if (cell[d] < -low_[d] || cell[d] >= grid_.extents()[d] - high_[d]) return false;
  return true;
}

bool MessageWalk::carries(Count origin, Count target) const {
  if (carried_ == Carried::all) return true;
  const bool stays = node_of_cell_[to_index(origin)] == node_of_cell_[to_index(target)];
  return stays == (carried_ == Carried::staying);
}

Count MessageWalk::block_bytes(const Block& block, const Cell& origin) const {
  Count bytes = block.point_bytes;
  for (std::size_t d = 0; d < origin.size(); ++d) bytes *= sizes_.points(block.neighbour, d, origin[d]);
  return bytes + sizes_.border_bytes(block.neighbour, origin);
}

Count MessageWalk::own_block_bytes(const Block& block, const SendingCell& sender) const {
  const Count bytes = bytes_of_share_[to_index(&block - blocks_.data())];
  return sizes_.border_points.empty() ? bytes : bytes + sizes_.border_bytes(block.neighbour, sender.cell);
}

void MessageWalk::size_blocks(const Counts& share) const {
  if (share == share_) return;
  bytes_of_share_.clear();
  for (const Block& block : blocks_) {
    Count bytes = block.point_bytes;
    const Offset& offset = sizes_.stencil.offsets()[block.neighbour];
    for (std::size_t d = 0; d < share.size(); ++d)
      bytes *= offset[d] == 0 ? share[d] : std::min(sizes_.halo[d], share[d]);
    bytes_of_share_.push_back(bytes);
  }
  share_ = share;
}

Count MessageWalk::carried_bytes(const Block& block, const SendingCell& sender) const {
  const bool direct = even_ || block.own;
  if (sender.inner && direct) {
    const Count origin = sender.number + block.to_origin;
    if (!carries(origin, origin + block.to_target)) return no_block;
    return even_ ? block.bytes : own_block_bytes(block, sender);
  }
  Cell origin(direct ? 0 : sender.cell.size());
  Count origin_number = 0, target_number = 0;
  for (std::size_t d = 0; d < sender.cell.size(); ++d) {
    const Count from = moved(grid_, d, sender.cell[d], block.back[d]);
    const Count target = from == nobody ? nobody : moved(grid_, d, from, block.ahead[d]);
    if (target == nobody) return no_block;
    if (!direct) origin[d] = from;
    origin_number += from * strides_[d];
    target_number += target * strides_[d];
  }
  if (!carries(origin_number, target_number)) return no_block;
  if (even_) return block.bytes;
  return block.own ? own_block_bytes(block, sender) : block_bytes(block, origin);
}

void MessageWalk::from(Count cell, const OnMessage& message) const {
  SendingCell sender{cell, grid_.cell(cell), false};
  sender.inner = inner(sender.cell);
  if (!even_) {
    Counts share;
    for (std::size_t d = 0; d < sender.cell.size(); ++d)
      share.push_back(sizes_.decomposition.extent(d, sender.cell[d]));
    size_blocks(share);
  }
  for (const Hop& hop : hops_) {
    const Count peer = sender.inner ? cell + hop.to_peer : grid_.index_at(sender.cell, hop.peer);
    if (peer == Lattice::nowhere) continue;
    Count together = no_block;
    for (std::size_t i = hop.first_block; i < hop.end_block; ++i)
      if (const Count bytes = carried_bytes(blocks_[i], sender); bytes != no_block)
        together = std::max(together, Count{0}) + bytes;
    if (together != no_block) message(peer, together);
  }
}

}  // namespace halocline::plan
