// SPDX-License-Identifier: BSD-3-Clause
// The fields of a halo of boxes: what they have in common on all processes, and which of their points go to
// whom.
#pragma once

#include "exchange/streams/parts_exchange.hpp"
#include "halocline/describe/boxes.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/halo/field_view.hpp"
#include "plan/messages/box_pieces.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace halocline::halo {

using BoxViews = std::vector<std::vector<FieldView>>;  ///< For each field, those of the own boxes.

/// What is the same for a field on all processes.
struct SharedShape {
  Count element_bytes;
  plan::GhostWidths widths;
  std::vector<std::size_t> order;  ///< Its dimensions, slowest first, as one process has them.
};

/// Throws Error{invalid_argument} or {invalid_dimensions} that names the field if the views are not those of
/// the boxes with these numbers, or differ.
void check_views(const Boxes& boxes, const std::vector<std::size_t>& own, const BoxViews& fields);

/// Of all fields, as the first process has them that owns a box. Collective. @pre some process owns one, and
/// check_views() on each
[[nodiscard]] std::vector<SharedShape> shared_shapes(MPI_Comm comm, const Boxes& boxes,
                                                     const BoxViews& fields);
/// Throws Error{invalid_argument} or {invalid_dimensions} that names the field where views differ from that.
void require_shapes(const BoxViews& fields, const std::vector<SharedShape>& shapes);

/// Where a box is among those that a process owns.
class OwnPlaces {
 public:
  OwnPlaces(const Boxes& boxes, Rank rank);
  /// @pre it owns the box
  [[nodiscard]] std::size_t operator[](std::size_t box) const { return places_.at(box); }

 private:
  std::map<std::size_t, std::size_t> places_;
};

/// Own points of a field as a piece shows them: the points of its ghosts, along their dimensions.
[[nodiscard]] FieldView shown_view(const FieldView& from, const Connection& piece);
/// All points of such a view; and the ghosts that show them, in the same order.
[[nodiscard]] compile::Part shown_part(const FieldView& shown, const std::vector<std::size_t>& order);
[[nodiscard]] compile::Part ghost_part(const FieldView& to, const Connection& piece,
                                       const std::vector<std::size_t>& order);

/// At least the pieces of all fields that a process has ghosts or own points of: boxes in one order, fields,
/// pieces. So what two processes have for each other is in the same order on both.
using PieceVisit = std::function<void(std::size_t to, std::size_t field, const Connection& piece)>;
void for_each_piece(const Boxes& boxes, const Stencil& directions, Rank rank,
                    const std::vector<SharedShape>& shapes, const PieceVisit& visit);

/// What a process has for all others, gets from them, and copies.
struct BoxRoutes {
  std::vector<exchange::PeerParts> peers;
  exchange::OwnParts own;
};
[[nodiscard]] BoxRoutes routes_of(const Boxes& boxes, const Stencil& directions, Rank rank,
                                  const BoxViews& fields, const std::vector<SharedShape>& shapes);

}  // namespace halocline::halo
