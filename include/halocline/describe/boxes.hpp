// SPDX-License-Identifier: BSD-3-Clause
// Which boxes of points each process owns, where it may own several, of any sizes.
#pragma once

#include "halocline/api.h"
#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/mesh.hpp"

#include <optional>
#include <vector>

namespace halocline {

/// A box of points, and the process that owns it.
struct OwnedBox {
  Rank owner;
  Box box;
  bool operator==(const OwnedBox&) const = default;
};

/// Ghost points of one box that show own points of another, or of the same one: what lies side by side where
/// no mesh tells it. Boxes are told by their number among all.
struct Connection {
  /// Along one dimension of the ghost points: along which one of `from` the points go that they show, and
  /// whether backwards.
  struct Axis {
    std::size_t dimension;
    bool backwards = false;
    bool operator==(const Axis&) const = default;
  };
  std::size_t to;
  Box ghosts;  ///< Counted from the first own point of `to`. A field has those that its halo reaches.
  std::size_t from;
  Cell first;  ///< What the first of the ghosts shows, counted from the first own point of `from`.
  std::vector<Axis> axes;  ///< One for each dimension; none: each along itself.
  bool operator==(const Connection&) const = default;
};

/// The boxes of all processes: each may own any number, none too. An immutable value, the same on all
/// processes; numbers of boxes are places in its list. A process's own boxes are those in the order of the
/// list.
class HALOCLINE_API Boxes {
 public:
  /// Boxes of a mesh, with the coordinates that its points have there. Neighbours are found by geometry,
  /// around periodic dimensions as well. There may be points that nobody owns. Throws
  /// Error{invalid_dimensions} that names the box if one has another dimension, no points, points outside the
  /// mesh, or some in common with another; invalid_argument if a rank is negative. O(n log n) for n boxes.
  Boxes(Mesh mesh, std::vector<OwnedBox> boxes);
  /// Boxes that lie in no mesh, with all that their halos show; where their coordinates begin means nothing.
  /// Throws also Error{invalid_argument} for a connection that names no box or no dimension or one twice, or
  /// ghosts that are own points or have some in common with others; invalid_dimensions if it shows points
  /// that `from` has not.
  Boxes(std::vector<OwnedBox> boxes, std::vector<Connection> connections);

  [[nodiscard]] std::size_t size() const { return boxes_.size(); }
  [[nodiscard]] std::size_t dimensions() const;
  [[nodiscard]] const std::vector<OwnedBox>& list() const { return boxes_; }
  [[nodiscard]] const OwnedBox& operator[](std::size_t number) const { return boxes_[number]; }
  /// The numbers of those that a process owns, increasing.
  [[nodiscard]] std::vector<std::size_t> of(Rank rank) const;
  /// None if they are connected by hand.
  [[nodiscard]] const std::optional<Mesh>& mesh() const { return mesh_; }
  [[nodiscard]] const std::vector<Connection>& connections() const { return connections_; }

  bool operator==(const Boxes&) const = default;

 private:
  std::optional<Mesh> mesh_;
  std::vector<OwnedBox> boxes_;
  std::vector<Connection> connections_;
};

}  // namespace halocline
