// What is beyond the sides of a mesh, told point by point from where points lie, in steps of half a point: no
// boxes, no slabs, none of the library's formulas.
#pragma once

#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/sides.hpp"
#include "halocline/describe/stencil.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace halocline {

/// What a point of the mesh, or beyond it, shows: an own point, with numbers of which some change their sign.
struct Shown {
  Cell point;
  std::vector<const Side*> crossed;

  [[nodiscard]] bool negative(std::size_t field, std::size_t number) const {
    bool negative = false;
    for (const Side* const side : crossed)
      negative ^= std::any_of(side->odd.begin(), side->odd.end(), [&](const Side::Odd& odd) {
        return (odd.field == Side::Odd::all || odd.field == field) &&
               (odd.number == Side::Odd::all || odd.number == number);
      });
    return negative;
  }
};

class SidesReference {
 public:
  SidesReference(Sides sides, Decomposition decomposition, const Stencil& directions)
      : sides_(std::move(sides)),
        decomposition_(std::move(decomposition)),
        directions_(directions.offsets()) {}

  /// Of a ghost point of the process at a cell; none if it is not filled.
  [[nodiscard]] std::optional<Shown> shown(const Cell& cell, std::size_t field, const Offset& direction,
                                           const Cell& local) const {
    if (std::find(directions_.begin(), directions_.end(), direction) == directions_.end())
      return std::nullopt;
    const Mesh& mesh = decomposition_.mesh();
    Shown shown{decomposition_.box(cell).first, {}};
    for (std::size_t d = 0; d < cell.size(); ++d) shown.point[d] += local[d];
    for (std::size_t d = 0; d < cell.size(); ++d) {
      const Count n = mesh.extents()[d];
      // A local direction that leads to a neighbour leads into the mesh, whatever the widths are.
      const bool low = shown.point[d] < 0, high = shown.point[d] >= n;
      if (mesh.periodic(d) || (!low && !high)) continue;
      const Side* const side = sides_.find(d, low ? Side::Which::low : Side::Which::high);
      if (side == nullptr) return std::nullopt;
      shown.crossed.push_back(side);
      cross(*side, low, n, field, shown.point);
    }
    for (std::size_t d = 0; d < cell.size(); ++d) {
      const Count n = mesh.extents()[d];
      while (mesh.periodic(d) && shown.point[d] < 0) shown.point[d] += n;
      while (mesh.periodic(d) && shown.point[d] >= n) shown.point[d] -= n;
      if (shown.point[d] < 0 || shown.point[d] >= n) return std::nullopt;  // a border shows itself
    }
    return shown;
  }

 private:
  /// Mirrored at a place, all in half points from the first point at the centre.
  void mirror(std::size_t field, std::size_t dimension, Count place, Cell& point) const {
    const Count half = sides_.half_further(field, dimension) ? 1 : 0;
    const Count here = 2 * point[dimension] + half;
    const Count there = place - (here - place);
    point[dimension] = (there - half) / 2 - ((there - half) % 2 < 0 ? 1 : 0);
  }
  void cross(const Side& side, bool low, Count n, std::size_t field, Cell& point) const {
    const Count last_point = low ? 0 : 2 * (n - 1), last_face = low ? -1 : 2 * n - 1;
    switch (side.kind) {
      case Side::Kind::mirror_face:
        return mirror(field, side.dimension, last_face, point);
      case Side::Kind::mirror_point:
        return mirror(field, side.dimension, last_point, point);
      case Side::Kind::shear:
        point[side.dimension] += low ? n : -n;
        point[side.along] += low ? -side.shift : side.shift;
        return;
      case Side::Kind::fold_t:
        mirror(field, side.dimension, last_point, point);
        return mirror(field, side.along, 0, point);
      case Side::Kind::fold_f:
        mirror(field, side.dimension, last_face, point);
        return mirror(field, side.along, -1, point);
    }
  }

  Sides sides_;
  Decomposition decomposition_;
  std::vector<Offset> directions_;
};

}  // namespace halocline
