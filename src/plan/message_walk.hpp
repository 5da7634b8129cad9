// Every message of a schedule, of every process, with its exact size: on open and periodic grids, with shares
// of the mesh that differ.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/schedule/schedule.hpp"

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

  /// Of a point of what goes to a neighbour. Throws as bytes().
  [[nodiscard]] Count point_bytes(std::size_t neighbour) const;

  /// Points along one dimension of the block from a process at that coordinate.
  [[nodiscard]] Count points(std::size_t neighbour, std::size_t dimension, Count coordinate) const;
  /// Of the block from the process on a cell. Throws Error{invalid_argument} if that leaves 64 bits.
  [[nodiscard]] Count bytes(std::size_t neighbour, std::span<const Count> cell) const;
};

/// Which blocks a schedule carries: all, those between processes of one node, or the others.
enum class Carried : std::uint8_t { all, staying, leaving };

/// Walks all messages row by row of the grid, so that several schedules that carry different blocks can be
/// walked side by side.
class MessageWalk {
 public:
  using Message = std::function<void(Count cell, Count peer, Count bytes)>;

  /// `schedule` is alltoall, with the neighbours of the stencil in its order. Throws Error{unsupported} for
  /// tables of more than 2^27 entries, Error{invalid_argument} if all bytes together might leave 64 bits.
  MessageWalk(const Schedule& schedule, const BlockSizes& sizes, Carried carried,
              const NodeOfCell& node_of_cell);

  [[nodiscard]] Count rows() const { return grid_.size() / columns(); }
  [[nodiscard]] Count columns() const { return grid_.extents().back(); }

  /// Calls message for each message that a cell of this row sends, empty ones too: those that differ in the
  /// last coordinate only. @pre 0 <= row < rows()
  void row(Count row, const Message& message);

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

}  // namespace halocline::plan
