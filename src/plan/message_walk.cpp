#include "plan/message_walk.hpp"

#include "base/integers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline::plan {
namespace {

constexpr std::size_t most_entries = std::size_t{1} << 27;
constexpr Count nobody = -1;
constexpr Count no_message = -1;

/// The coordinate `step` further on, or nobody. Sums of coordinates and steps may leave 64 bits: compare
/// first.
Count moved(const Grid& grid, std::size_t dimension, Count coordinate, Count step) {
  const Count extent = grid.extents()[dimension];
  if (grid.periodic(dimension)) return floor_modulo(coordinate + step % extent, extent);
  return step < -coordinate || step >= extent - coordinate ? nobody : coordinate + step;
}

Count backwards(Count step) { return checked_subtract(0, step); }

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
    : grid_(sizes.decomposition.grid()), node_of_cell_(node_of_cell), carried_(carried) {
  const std::size_t dimensions = grid_.dimensions();
  strides_.assign(dimensions, 1);
  for (std::size_t d = dimensions - 1; d-- > 0;) strides_[d] = strides_[d + 1] * grid_.extents()[d + 1];
  for (const Count extent : grid_.extents()) {
    first_.push_back(coordinates_);
    coordinates_ += static_cast<std::size_t>(extent);
  }
  const std::size_t rows_of_tables = schedule.parts().moves.size() + schedule.rounds();
  if (rows_of_tables > most_entries / coordinates_)
    fail(Fault::unsupported, rows_of_tables, " moves and rounds on a grid of ", grid_.to_text(),
         " are too many to be counted; at most ", most_entries / coordinates_);
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const Schedule::Round round = schedule.round(r);
    for (std::size_t d = 0; d < dimensions; ++d)
      for (Count x = 0; x < grid_.extents()[d]; ++x) {
        const Count peer = moved(grid_, d, x, round.peer[d]);
        peers_.push_back(peer == nobody ? nobody : peer * strides_[d]);
      }
    const std::size_t first_move = point_bytes_.size();
    for (std::size_t m = 0; m < round.moves.size(); ++m)
      add_move(schedule, sizes, static_cast<std::size_t>(schedule.served(round.moves[m]).front()),
               round.travelled.subspan(m * dimensions, dimensions));
    hops_.push_back({first_move, point_bytes_.size()});
  }
  check_total(sizes);
  row_bytes_.resize(static_cast<std::size_t>(columns()));
}

void MessageWalk::add_move(const Schedule& schedule, const BlockSizes& sizes, std::size_t neighbour,
                           std::span<const Count> travelled) {
  for (std::size_t d = 0; d < grid_.dimensions(); ++d)
    for (Count x = 0; x < grid_.extents()[d]; ++x) {
      const Count origin = moved(grid_, d, x, backwards(travelled[d]));
      const Count target = origin == nobody ? nobody : moved(grid_, d, origin, schedule.offset(neighbour)[d]);
      shares_.push_back(target == nobody ? Share{0, 0, 0}
                                         : Share{sizes.points(neighbour, d, origin), origin * strides_[d],
                                                 target * strides_[d]});
    }
  point_bytes_.push_back(sizes.point_bytes(neighbour));
}

void MessageWalk::check_total(const BlockSizes& sizes) const try {
  // No block has more points than the largest share of the mesh.
  Count points = 1;
  for (std::size_t d = 0; d < grid_.dimensions(); ++d)
    points = checked_multiply(points, sizes.decomposition.largest_extent(d));
  Count total = 0;
  for (const Count point_bytes : point_bytes_)
    total = checked_add(total, checked_multiply(point_bytes, points));
  (void)checked_multiply(total, grid_.size());
} catch (const Error& error) {
  fail(error.fault(), "the bytes of all messages on the mesh ", sizes.decomposition.mesh().to_text(), ": ",
       error.what());
}

bool MessageWalk::carries(Count origin, Count target) const {
  if (carried_ == Carried::all) return true;
  const bool stays =
      node_of_cell_[static_cast<std::size_t>(origin)] == node_of_cell_[static_cast<std::size_t>(target)];
  return stays == (carried_ == Carried::staying);
}

void MessageWalk::add_bytes(std::size_t move, const Cell& cell) {
  const Share* const shares = shares_.data() + move * coordinates_;
  const std::size_t last = grid_.dimensions() - 1;
  Share outer{point_bytes_[move], 0, 0};
  for (std::size_t d = 0; d < last; ++d) {
    const Share& share = shares[first_[d] + static_cast<std::size_t>(cell[d])];
    if (share.points == 0) return;
    outer = {outer.points * share.points, outer.origin + share.origin, outer.target + share.target};
  }
  const Share* const along = shares + first_[last];
  for (std::size_t x = 0; x < row_bytes_.size(); ++x)
    if (along[x].points > 0 && carries(outer.origin + along[x].origin, outer.target + along[x].target))
      row_bytes_[x] = std::max(row_bytes_[x], Count{0}) + outer.points * along[x].points;
}

void MessageWalk::row(Count row, const Message& message) {
  const std::size_t last = grid_.dimensions() - 1;
  const Count first_cell = row * columns();
  const Cell cell = grid_.cell(first_cell);
  for (std::size_t hop = 0; hop < hops_.size(); ++hop) {
    const Count* const peers = peers_.data() + hop * coordinates_;
    Count outer_peer = 0;
    for (std::size_t d = 0; d < last && outer_peer != nobody; ++d) {
      const Count share = peers[first_[d] + static_cast<std::size_t>(cell[d])];
      outer_peer = share == nobody ? nobody : outer_peer + share;
    }
    if (outer_peer == nobody) continue;
    std::fill(row_bytes_.begin(), row_bytes_.end(), no_message);
    for (std::size_t move = hops_[hop].first_move; move < hops_[hop].end_move; ++move) add_bytes(move, cell);
    for (std::size_t x = 0; x < row_bytes_.size(); ++x) {
      const Count share = peers[first_[last] + x];
      if (row_bytes_[x] != no_message && share != nobody)
        message(first_cell + static_cast<Count>(x), outer_peer + share, row_bytes_[x]);
    }
  }
}

}  // namespace halocline::plan
