// SPDX-License-Identifier: BSD-3-Clause
// The messages that a process sends by a schedule, with their exact sizes: on open and periodic grids, with
// shares of the mesh that differ.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/plan/plan.hpp"
#include "schedule/parts/schedule.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace halocline::plan {

using NodeOfCell = std::vector<int>;

/// What a block to each neighbour holds.
struct BlockSizes {
  const Decomposition& decomposition;
  const Stencil& stencil;  ///< Before it was reduced to the grid: a wrapped face is still a face.
  const Counts& halo;      ///< One width a dimension.
  Count field_bytes;       ///< Of a point of all fields.
  const Counts& each;      ///< For each neighbour the bytes of a point, if they differ.
  const std::vector<BorderPoints>& border_points;  ///< By neighbour.

  /// Of a point of what goes to a neighbour. Throws as bytes().
  [[nodiscard]] Count point_bytes(std::size_t neighbour) const;

  /// Points along one dimension of the block from a process at that coordinate.
  [[nodiscard]] Count points(std::size_t neighbour, std::size_t dimension, Count coordinate) const;
  /// Of the ghost points that the process on a cell sends along. Throws as bytes().
  [[nodiscard]] Count border_bytes(std::size_t neighbour, std::span<const Count> cell) const;
  [[nodiscard]] std::span<const BorderPoints> border_points_to(std::size_t neighbour) const;
  /// The most that those of any process take, for each point.
  [[nodiscard]] Count border_point_bytes(std::size_t neighbour) const;
  /// Is the block to a neighbour as large on every process?
  [[nodiscard]] bool even() const;
  /// Of the block from the process on a cell. Throws Error{invalid_argument} if that leaves 64 bits.
  [[nodiscard]] Count bytes(std::size_t neighbour, std::span<const Count> cell) const;
};

/// Do all processes of a grid send these, or none?
[[nodiscard]] bool same_for_all(const std::vector<BorderPoints>& points, const Grid& grid);

/// Which blocks a schedule carries: all, those between processes of one node, or the others.
enum class Carried : std::uint8_t { all, staying, leaving };

class MessageWalk {
 public:
  using OnMessage = std::function<void(Count peer, Count bytes)>;

  /// `schedule` is alltoall, with the neighbours of the stencil in its order. Throws Error{unsupported} for
  /// more than 2^27 moves and coordinates, Error{invalid_argument} if all bytes together might leave 64 bits.
  /// @pre what `sizes` refers to and `node_of_cell` outlive this object
  MessageWalk(const Schedule& schedule, const BlockSizes& sizes, Carried carried,
              const NodeOfCell& node_of_cell);

  /// Calls message for each message that the process on a cell sends, empty ones too. By one thread at a
  /// time: it remembers sizes.
  /// @pre the cell is in the grid
  void from(Count cell, const OnMessage& message) const;

 private:
  /// One that a message carries, seen from its sender.
  struct Block {
    std::size_t neighbour;  ///< Which one it is for.
    Offset back, ahead;     ///< To its origin, and from there to its target.
    Count point_bytes;
    Count bytes;                 ///< Where those of all processes are equal.
    Count to_origin, to_target;  ///< The same as differences of the numbers of cells, where nothing wraps.
    bool own;                    ///< Is its sender its origin?
  };
  struct Hop {
    Offset peer;
    Count to_peer;  ///< As a difference.
    std::size_t first_block, end_block;
  };
  struct SendingCell {
    Count number;
    Cell cell;
    bool inner;  ///< Does nothing lead out of the grid or around it?
  };
  void check_total(const Counts& point_bytes) const;
  void add_hop(const Schedule& schedule, std::size_t round, Counts& point_bytes);
  /// Does an offset lead out of the grid from every cell?
  [[nodiscard]] bool leads_nowhere(std::span<const Count> offset) const;
  /// How far an offset moves the number of a cell, where nothing wraps.
  [[nodiscard]] Count difference(const Offset& offset) const;
  /// Takes the cell two offsets away into the box that inner cells have around them.
  void reach(const Offset& first, const Offset& second);
  [[nodiscard]] bool inner(const Cell& cell) const;
  [[nodiscard]] Count block_bytes(const Block& block, const Cell& origin) const;
  [[nodiscard]] Count own_block_bytes(const Block& block, const SendingCell& sender) const;
  /// Works out the bytes of all blocks for a sender that owns so many points in each dimension.
  void size_blocks(const Counts& share) const;
  /// The bytes of a block; nothing if there is none, or if it is not carried.
  [[nodiscard]] Count carried_bytes(const Block& block, const SendingCell& sender) const;
  [[nodiscard]] bool carries(Count origin, Count target) const;

  Grid grid_;
  BlockSizes sizes_;
  const NodeOfCell& node_of_cell_;
  Carried carried_;
  bool even_;  ///< Are all blocks to a neighbour equal?
  Counts strides_;
  Counts low_, high_;  ///< For each dimension how far anything leads, down and up.
  std::vector<Hop> hops_;
  std::vector<Block> blocks_;
  /// The bytes of each block, without ghost points, for the share of the last sender: most own as much.
  mutable Counts share_, bytes_of_share_;
};

}  // namespace halocline::plan
