// SPDX-License-Identifier: BSD-3-Clause
// Where ghost points beyond the sides of a mesh get their values from: one map from their coordinates to
// those of own points, which is a shift or a reversal along each dimension. Each process works out by itself
// what it gets from whom and who gets something from it; nothing is asked.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/sides.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/halo/field_view.hpp"

#include <optional>
#include <vector>

namespace halocline::halo {

/// The sides that a ghost point lies beyond.
using Crossed = std::vector<const Side*>;

/// Ghost points of one process that show a box of another, or its own.
struct SidePiece {
  FieldView::Part to;          ///< Of the process that has them in its halo.
  Cell source;                 ///< The cell of the process that owns what they show,
  Cell from;                   ///< and which of its points the first of them shows.
  std::vector<bool> reversed;  ///< Along which dimensions the others are before that.
  Crossed crossed;
};

class SideMap {
 public:
  /// Throws Error{invalid_dimensions} if the sides do not fit the mesh.
  SideMap(Sides sides, Decomposition decomposition, const Stencil& directions);
  // Pieces point to its sides.
  SideMap(const SideMap&) = delete;
  SideMap& operator=(const SideMap&) = delete;

  [[nodiscard]] const Sides& sides() const { return sides_; }
  [[nodiscard]] const Decomposition& decomposition() const { return decomposition_; }

  /// Throws Error{invalid_dimensions} if a halo of field `number` reaches further than the own points that it
  /// would show.
  void require_narrow(std::size_t number, const HaloWidths& halo) const;

  /// All that the process at a cell gets for a field, in the order in which it travels.
  [[nodiscard]] std::vector<SidePiece> pieces(const Cell& cell, std::size_t field,
                                              const HaloWidths& halo) const;
  /// At least the processes that get something for the field from the one at a cell, and no more than can be
  /// told dimension by dimension.
  [[nodiscard]] std::vector<Cell> may_get_from(const Cell& cell, std::size_t field,
                                               const HaloWidths& halo) const;

  /// What one ghost point shows, told by its coordinates in the mesh, which may lie outside.
  struct Source {
    Cell point;
    Crossed crossed;
  };
  /// Of a local point of the process at a cell, in a direction from its own points; none if it is not beyond
  /// a side that is described, or in no direction that is filled, or nothing is shown there.
  [[nodiscard]] std::optional<Source> source(const Cell& cell, std::size_t field, const Offset& direction,
                                             const Cell& point) const;

 private:
  /// Coordinate g shows turn * g + shift, wrapped around where the dimension is periodic.
  struct Line {
    Count turn = 1, shift = 0;
  };
  /// Some points along one dimension that show neighbouring points of one slab.
  struct Segment {
    Count to, count;   ///< Local, of the process that gets them.
    Count slab, from;  ///< Of the process that has them, and which of its points the first one shows.
    bool reversed;
  };
  using Segments = std::vector<Segment>;

  [[nodiscard]] bool is_open(std::size_t dimension, Count coordinate, Count side) const;
  [[nodiscard]] const Side* side_at(std::size_t dimension, Count side) const;
  /// None if it is beyond no side that is described, or beyond one that is not.
  [[nodiscard]] std::optional<Crossed> crossed_by(const Cell& cell, const Offset& direction) const;
  [[nodiscard]] Line line(std::size_t dimension, std::size_t field, const Offset& direction,
                          const Crossed& crossed) const;
  [[nodiscard]] Segments segments(std::size_t dimension, Count coordinate, Count step, const Line& line,
                                  const HaloWidths& halo) const;
  [[nodiscard]] Count slab_of(std::size_t dimension, Count point) const;
  void add_candidates(const Cell& cell, std::size_t field, const HaloWidths& halo, const Offset& direction,
                      const Crossed& crossed, std::vector<Cell>& cells) const;

  Sides sides_;
  Decomposition decomposition_;
  std::vector<Offset> directions_;
  std::vector<Counts> starts_;  ///< Of each slab along each dimension, and the end.
};

}  // namespace halocline::halo
