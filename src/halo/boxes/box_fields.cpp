// SPDX-License-Identifier: BSD-3-Clause
#include "halo/boxes/box_fields.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/call.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

namespace halocline::halo {
namespace {

std::string words_of(const plan::GhostWidths& widths) {
  return concat(join(widths.low, ","), " before and ", join(widths.high, ","), " behind");
}

plan::GhostWidths widths_of(const FieldView& view) { return {view.halo().low, view.halo().high}; }

void check_view(const FieldView& view, const Box& box, const std::string& name) {
  require(view.dimensions() > 0, name,
          " is empty: it was made of nothing, or moved from; use the one that it was moved to");
  if (!view.staggered().empty())
    fail(Fault::unsupported, name, " is staggered along ", join(view.staggered(), ","),
         "; halos of boxes take fields of cells alone");
  if (view.extents() != box.extents)
    fail(Fault::invalid_dimensions, name, " has ", join(view.extents(), "x"), " own points; the box has ",
         join(box.extents, "x"));
  require(view.origin() != nullptr, name, " begins at a null pointer");
}

/// Throws unless a field has this shape in its view.
void require_shape(const FieldView& view, Count element_bytes, const plan::GhostWidths& widths,
                   std::size_t field) {
  require(view.element().size() == element_bytes, "field ", field, " has elements of ", view.element().size(),
          " bytes on one box and of ", element_bytes, " on another");
  if (widths_of(view) != widths)
    fail(Fault::invalid_dimensions, "field ", field, " has a halo of ", words_of(widths_of(view)),
         " on one box and of ", words_of(widths), " on another");
}

std::vector<std::size_t> order_of(const FieldView& view) {
  std::vector<std::size_t> order(view.dimensions());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(view.strides()[a]) > std::abs(view.strides()[b]);
  });
  return order;
}

}  // namespace

void check_views(const Boxes& boxes, const std::vector<std::size_t>& own, const BoxViews& fields) {
  require(!fields.empty(), "a halo of boxes needs one field at least");
  for (std::size_t f = 0; f < fields.size(); ++f) {
    require(fields[f].size() == own.size(), "field ", f, " has ", fields[f].size(),
            " views; this process owns ", own.size(), " boxes");
    for (std::size_t i = 0; i < own.size(); ++i) {
      check_view(fields[f][i], boxes[own[i]].box, concat("field ", f, " on box ", own[i]));
      const FieldView& first = fields[f].front();
      require_shape(fields[f][i], first.element().size(), widths_of(first), f);
    }
  }
}

std::vector<SharedShape> shared_shapes(MPI_Comm comm, const Boxes& boxes, const BoxViews& fields) {
  Rank teller = boxes[0].owner;
  for (const OwnedBox& one : boxes.list()) teller = std::min(teller, one.owner);
  const std::size_t dimensions = boxes.dimensions();
  Counts numbers;
  for (const std::vector<FieldView>& field : fields) {
    if (field.empty()) {
      numbers.resize(numbers.size() + 1 + 3 * dimensions);
      continue;
    }
    const FieldView& view = field.front();
    numbers.push_back(view.element().size());
    for (const Counts& list : {view.halo().low, view.halo().high})
      numbers.insert(numbers.end(), list.begin(), list.end());
    for (const std::size_t d : order_of(view)) numbers.push_back(to_count(d));
  }
  HALOCLINE_MPI(Bcast, numbers.data(), to_int(numbers.size()), MPI_INT64_T, to_int(teller), comm);
  std::vector<SharedShape> shapes;
  auto next = numbers.begin();
  const auto taken = [&] {
    Counts list(next, next + static_cast<std::ptrdiff_t>(dimensions));
    next += static_cast<std::ptrdiff_t>(dimensions);
    return list;
  };
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const Count bytes = *next++;
    const Counts low = taken(), high = taken(), order = taken();
    shapes.push_back({bytes, {low, high}, {order.begin(), order.end()}});
  }
  return shapes;
}

void require_shapes(const BoxViews& fields, const std::vector<SharedShape>& shapes) {
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (const FieldView& view : fields[f]) require_shape(view, shapes[f].element_bytes, shapes[f].widths, f);
}

OwnPlaces::OwnPlaces(const Boxes& boxes, Rank rank) {
  for (const std::size_t box : boxes.of(rank)) places_.emplace(box, places_.size());
}

FieldView shown_view(const FieldView& from, const Connection& piece) {
  Counts strides;
  for (const auto& [along, backwards] : piece.axes)
    strides.push_back(backwards ? -from.strides()[along] : from.strides()[along]);
  return {from.at(piece.first), from.element(), piece.ghosts.extents, std::move(strides),
          HaloWidths(Counts(piece.axes.size(), 0))};
}

compile::Part shown_part(const FieldView& shown, const std::vector<std::size_t>& order) {
  return {shown.layout({Cell(order.size(), 0), shown.extents()}, order), 1, to_count(shown.origin())};
}

compile::Part ghost_part(const FieldView& to, const Connection& piece,
                         const std::vector<std::size_t>& order) {
  return {to.layout({piece.ghosts.first, piece.ghosts.extents}, order), 1,
          to_count(to.at(piece.ghosts.first))};
}

void for_each_piece(const Boxes& boxes, const Stencil& directions, Rank rank,
                    const std::vector<SharedShape>& shapes, const PieceVisit& visit) {
  if (boxes.size() == 0) return;
  const plan::BoxPieces pieces(boxes, directions);
  const std::vector<std::size_t> own = boxes.of(rank);
  std::set<std::size_t> shown_on(own.begin(), own.end());
  for (const std::size_t box : own)
    for (const SharedShape& shape : shapes)
      for (const std::size_t other : pieces.around(box, shape.widths)) shown_on.insert(other);
  for (const std::size_t to : shown_on)
    for (std::size_t f = 0; f < shapes.size(); ++f)
      for (const Connection& piece : pieces.into(to, shapes[f].widths)) visit(to, f, piece);
}

BoxRoutes routes_of(const Boxes& boxes, const Stencil& directions, Rank rank, const BoxViews& fields,
                    const std::vector<SharedShape>& shapes) {
  const OwnPlaces place(boxes, rank);
  BoxRoutes routes;
  std::map<Rank, exchange::PeerParts> peers;
  const auto peer = [&](Rank other) -> exchange::PeerParts& {
    exchange::PeerParts& its = peers[other];
    its.rank = other;
    return its;
  };
  for_each_piece(
      boxes, directions, rank, shapes, [&](std::size_t to, std::size_t f, const Connection& piece) {
        const Rank reader = boxes[to].owner, writer = boxes[piece.from].owner;
        const std::vector<std::size_t>& order = shapes[f].order;
        const auto shown = [&] { return shown_part(shown_view(fields[f][place[piece.from]], piece), order); };
        if (writer == rank && reader == rank) {
          routes.own.copies.emplace_back(shown(), ghost_part(fields[f][place[to]], piece, order));
          routes.own.traffic +=
              Traffic{1, checked_multiply(checked_product(piece.ghosts.extents), shapes[f].element_bytes)};
        } else if (writer == rank) {
          peer(reader).out.push_back(shown());
        } else if (reader == rank) {
          peer(writer).in.push_back(ghost_part(fields[f][place[to]], piece, order));
        }
      });
  for (auto& [other, parts] : peers) routes.peers.push_back(std::move(parts));
  return routes;
}

}  // namespace halocline::halo
