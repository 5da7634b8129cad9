// The messages of a schedule, row by row of the grid, worked out another way than the plan does.
#pragma once

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "halocline/base/error.hpp"
#include "plan/messages/message_walk.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halocline::plan::one_by_one {

/// Walks all messages row by row of the grid, so that several schedules that carry different blocks can be
/// walked side by side.
class RowWalk {
 public:
  using Visit = std::function<void(Count cell, Count peer, Count bytes)>;

  /// `schedule` is alltoall, with the neighbours of the stencil in its order. Throws Error{unsupported} for
  /// tables of more than 2^27 entries, Error{invalid_argument} if all bytes together might leave 64 bits.
  RowWalk(const Schedule& schedule, const BlockSizes& sizes, Carried carried, const NodeOfCell& node_of_cell);

  [[nodiscard]] Count rows() const { return grid_.size() / columns(); }
  [[nodiscard]] Count columns() const { return grid_.extents().back(); }

  /// Calls message for each message that a cell of this row sends, empty ones too: those that differ in the
  /// last coordinate only. @pre 0 <= row < rows()
  void row(Count row, const Visit& message);

 private:
  /// What one coordinate adds to the number of a cell, and the points along its dimension; 0 points if there
  /// is no such block.
  struct Share {
    Count points, origin, target;
  };
  struct Hop {
    std::size_t first_move, end_move;
  };

  void add_move(const Schedule& schedule, const BlockSizes& sizes, std::size_t neighbour,
                std::span<const Count> travelled);
  void check_total(const BlockSizes& sizes) const;
  /// Adds the bytes of a move in every column of the row that `cell` begins.
  void add_bytes(std::size_t move, const Cell& cell);
  [[nodiscard]] bool carries(Count origin, Count target) const;

  Grid grid_;
  const NodeOfCell& node_of_cell_;
  Carried carried_;
  Counts strides_;
  std::vector<std::size_t> first_;  ///< For each dimension its first coordinate in the lists below.
  std::size_t coordinates_ = 0;     ///< Of all dimensions together.
  std::vector<Hop> hops_;
  Counts peers_;               ///< For each hop and coordinate: what it adds to the peer's number, or -1.
  std::vector<Share> shares_;  ///< For each move and coordinate.
  Counts point_bytes_;         ///< For each move.
  Counts row_bytes_;           ///< For each column: of the message that is being put together.
};

constexpr std::size_t most_entries = std::size_t{1} << 27;
constexpr Count nobody = -1;
constexpr Count no_message = -1;

/// The coordinate `step` further on, or nobody. Sums of coordinates and steps may leave 64 bits: compare
/// first.
inline Count moved(const Grid& grid, std::size_t dimension, Count coordinate, Count step) {
  const Count extent = grid.extents()[dimension];
  if (grid.periodic(dimension)) return floor_modulo(coordinate + step % extent, extent);
  return step < -coordinate || step >= extent - coordinate ? nobody : coordinate + step;
}

inline Count backwards(Count step) { return checked_subtract(0, step); }

inline RowWalk::RowWalk(const Schedule& schedule, const BlockSizes& sizes, Carried carried,
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

inline void RowWalk::add_move(const Schedule& schedule, const BlockSizes& sizes, std::size_t neighbour,
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

inline void RowWalk::check_total(const BlockSizes& sizes) const try {
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

inline bool RowWalk::carries(Count origin, Count target) const {
  if (carried_ == Carried::all) return true;
  const bool stays =
      node_of_cell_[static_cast<std::size_t>(origin)] == node_of_cell_[static_cast<std::size_t>(target)];
  return stays == (carried_ == Carried::staying);
}

inline void RowWalk::add_bytes(std::size_t move, const Cell& cell) {
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

inline void RowWalk::row(Count row, const Visit& message) {
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

}  // namespace halocline::plan::one_by_one
