// SPDX-License-Identifier: BSD-3-Clause
// Which ghost points of boxes show which own points of others: by geometry on a mesh, or by connections.
#pragma once

#include "describe/box_tree.hpp"
#include "halocline/describe/boxes.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/plan/box_traffic.hpp"

#include <vector>

namespace halocline::plan {

class BoxPieces {
 public:
  /// `directions`: which parts of the halo are filled; components are -1, 0 and 1. A connection fills all
  /// that it names.
  BoxPieces(const Boxes& boxes, const Stencil& directions);

  /// What the halo of a box shows, as connections without points beyond its widths: each ghost point at most
  /// once, in an order that depends on the boxes and the widths alone.
  [[nodiscard]] std::vector<Connection> into(std::size_t box, const GhostWidths& widths) const;
  /// At least the boxes whose halos show own points of this one, increasing.
  [[nodiscard]] std::vector<std::size_t> around(std::size_t box, const GhostWidths& widths) const;

 private:
  void add_region(std::size_t box, const Offset& direction, const GhostWidths& widths,
                  std::vector<Connection>& pieces) const;

  const Boxes* boxes_;
  std::vector<Offset> directions_;
  BoxTree tree_;
  std::vector<std::vector<std::size_t>> into_, out_of_;  ///< Connections, by their boxes.
};

}  // namespace halocline::plan
