#include "plan/message_walk.hpp"

#include "base/integers.hpp"
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
  return bytes;
}

MessageWalk::MessageWalk(const Schedule& schedule, const BlockSizes& sizes, Carried carried,
                         const NodeOfCell& node_of_cell)
    : grid_(sizes.decomposition.grid()),
      sizes_(sizes),
      node_of_cell_(node_of_cell),
      carried_(carried),
      even_(sizes.decomposition.even()) {
  const std::size_t dimensions = grid_.dimensions();
  strides_.assign(dimensions, 1);
  for (std::size_t d = dimensions - 1; d-- > 0;) strides_[d] = strides_[d + 1] * grid_.extents()[d + 1];
  low_.assign(dimensions, 0);
  high_.assign(dimensions, 0);
  const auto coordinates =
      static_cast<std::size_t>(std::accumulate(grid_.extents().begin(), grid_.extents().end(), Count{0}));
  const std::size_t moves_and_rounds = schedule.parts().moves.size() + schedule.rounds();
  if (moves_and_rounds > most_entries / coordinates)
    fail(Fault::unsupported, moves_and_rounds, " moves and rounds on a grid of ", grid_.to_text(),
         " are too many to be counted; at most ", most_entries / coordinates);
  const Cell first(dimensions, 0);
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const Schedule::Round round = schedule.round(r);
    const std::size_t first_block = blocks_.size();
    for (std::size_t m = 0; m < round.moves.size(); ++m) {
      const auto neighbour = static_cast<std::size_t>(schedule.served(round.moves[m]).front());
      const std::span<const Count> ahead = schedule.offset(neighbour);
      blocks_.push_back({neighbour, backwards(round.travelled.subspan(m * dimensions, dimensions)),
                         Offset(ahead.begin(), ahead.end()), sizes.point_bytes(neighbour), 0, 0, 0});
    }
    hops_.push_back({Offset(round.peer.begin(), round.peer.end()), 0, first_block, blocks_.size()});
  }
  check_total();
  for (Hop& hop : hops_) hop.to_peer = difference(hop.peer);
  for (Block& block : blocks_) {
    block.bytes = block_bytes(block, first);
    block.to_origin = difference(block.back);
    block.to_target = difference(block.ahead);
  }
}

void MessageWalk::check_total() const try {
  // No block has more points than the largest share of the mesh.
  Count points = 1;
  for (std::size_t d = 0; d < grid_.dimensions(); ++d)
    points = checked_multiply(points, sizes_.decomposition.largest_extent(d));
  Count total = 0;
  for (const Block& block : blocks_) total = checked_add(total, checked_multiply(block.point_bytes, points));
  (void)checked_multiply(total, grid_.size());
} catch (const Error& error) {
  fail(error.fault(), "the bytes of all messages on the mesh ", sizes_.decomposition.mesh().to_text(), ": ",
       error.what());
}

Count MessageWalk::difference(const Offset& offset) {
  Count difference = 0;
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const Count extent = grid_.extents()[d], step = std::clamp(offset[d], -extent, extent);
    // A target is two steps away.
    low_[d] = std::min(low_[d], 2 * step);
    high_[d] = std::max(high_[d], 2 * step);
    difference += step * strides_[d];
  }
  return difference;
}

bool MessageWalk::inner(const Cell& cell) const {
  for (std::size_t d = 0; d < cell.size(); ++d)
    if (cell[d] < -low_[d] || cell[d] >= grid_.extents()[d] - high_[d]) return false;
  return true;
}

bool MessageWalk::carries(Count origin, Count target) const {
  if (carried_ == Carried::all) return true;
  const bool stays =
      node_of_cell_[static_cast<std::size_t>(origin)] == node_of_cell_[static_cast<std::size_t>(target)];
  return stays == (carried_ == Carried::staying);
}

Count MessageWalk::block_bytes(const Block& block, const Cell& origin) const {
  Count bytes = block.point_bytes;
  for (std::size_t d = 0; d < origin.size(); ++d) bytes *= sizes_.points(block.neighbour, d, origin[d]);
  return bytes;
}

Count MessageWalk::carried_bytes(const Block& block, Count number, const Cell& cell, bool is_inner) const {
  if (is_inner && even_)
    return carries(number + block.to_origin, number + block.to_origin + block.to_target) ? block.bytes
                                                                                         : no_block;
  Cell origin(cell.size());
  Count origin_number = 0, target_number = 0;
  for (std::size_t d = 0; d < cell.size(); ++d) {
    origin[d] = moved(grid_, d, cell[d], block.back[d]);
    const Count target = origin[d] == nobody ? nobody : moved(grid_, d, origin[d], block.ahead[d]);
    if (target == nobody) return no_block;
    origin_number += origin[d] * strides_[d];
    target_number += target * strides_[d];
  }
  return carries(origin_number, target_number) ? block_bytes(block, origin) : no_block;
}

void MessageWalk::from(Count cell, const Message& message) const {
  const Cell coordinates = grid_.cell(cell);
  const bool is_inner = inner(coordinates);
  for (const Hop& hop : hops_) {
    const Count peer = is_inner ? cell + hop.to_peer : grid_.index_at(coordinates, hop.peer);
    if (peer == Lattice::nowhere) continue;
    Count together = no_block;
    for (std::size_t i = hop.first_block; i < hop.end_block; ++i)
      if (const Count bytes = carried_bytes(blocks_[i], cell, coordinates, is_inner); bytes != no_block)
        together = std::max(together, Count{0}) + bytes;
    if (together != no_block) message(peer, together);
  }
}

}  // namespace halocline::plan
