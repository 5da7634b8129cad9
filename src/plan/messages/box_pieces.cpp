// SPDX-License-Identifier: BSD-3-Clause
#include "plan/messages/box_pieces.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace halocline::plan {
namespace {

/// Neighbouring points along one dimension of a region, where they lie in the mesh.
struct Stretch {
  Count at;     ///< From the beginning of the region.
  Count first;  ///< In the mesh.
  Count count;
};

/// Points [first, first + count), some of which may lie outside: cut off where the mesh is open, wrapped
/// around, as often as it takes, where it is periodic.
std::vector<Stretch> in_mesh(Count first, Count count, Count extent, bool periodic) {
  if (!periodic) {
    const Count begin = std::max(first, Count{0}), end = std::min(checked_add(first, count), extent);
    if (begin >= end) return {};
    return {{begin - first, begin, end - begin}};
  }
  std::vector<Stretch> stretches;
  for (Count at = 0; at < count;) {
    const Count there = floor_modulo(checked_add(first, at), extent);
    const Count length = std::min(count - at, extent - there);
    stretches.push_back({at, there, length});
    at += length;
  }
  return stretches;
}

/// A region of the mesh, and where it begins in one that may reach beyond it.
struct Image {
  Cell at;
  Box box;
};
std::vector<Image> images_of(const Box& region, const Mesh& mesh) {
  std::vector<Image> images{{}};
  for (std::size_t d = 0; d < mesh.dimensions(); ++d) {
    std::vector<Image> longer;
    for (const Image& image : images)
      for (const Stretch& stretch :
           in_mesh(region.first[d], region.extents[d], mesh.extents()[d], mesh.periodic(d))) {
        longer.push_back(image);
        longer.back().at.push_back(stretch.at);
        longer.back().box.first.push_back(stretch.first);
        longer.back().box.extents.push_back(stretch.count);
      }
    images = std::move(longer);
  }
  return images;
}

bool has_points(const Box& box) {
  return std::all_of(box.extents.begin(), box.extents.end(), [](Count extent) { return extent > 0; });
}

/// The ghost points in a direction from the own ones, counted from the first own one.
Box region_of(const Counts& extents, const Offset& direction, const GhostWidths& widths) {
  Box region;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    region.first.push_back(direction[d] < 0 ? -widths.low[d] : direction[d] > 0 ? extents[d] : 0);
    region.extents.push_back(direction[d] < 0   ? widths.low[d]
                             : direction[d] > 0 ? widths.high[d]
                                                : extents[d]);
  }
  return region;
}

/// All points of a box and of its halo.
Box with_halo(const Counts& extents, const GhostWidths& widths) {
  Box all;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    all.first.push_back(-widths.low[d]);
    all.extents.push_back(checked_add(checked_add(extents[d], widths.low[d]), widths.high[d]));
  }
  return all;
}

Box moved(Box box, const Cell& by) {
  for (std::size_t d = 0; d < by.size(); ++d) box.first[d] = checked_add(box.first[d], by[d]);
  return box;
}

std::vector<Connection::Axis> straight(std::size_t dimensions) {
  std::vector<Connection::Axis> axes;
  for (std::size_t d = 0; d < dimensions; ++d) axes.push_back({d});
  return axes;
}

/// What a connection fills of a halo; nothing if it lies beyond it.
std::optional<Connection> cut(const Connection& connection, const Counts& extents,
                              const GhostWidths& widths) {
  const auto filled = common_points(connection.ghosts, with_halo(extents, widths));
  if (!filled) return std::nullopt;
  Connection piece = connection;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const Count skipped = filled->first[d] - connection.ghosts.first[d];
    const auto [along, backwards] = connection.axes[d];
    piece.first[along] += backwards ? -skipped : skipped;
  }
  piece.ghosts = *filled;
  return piece;
}

std::vector<Box> only_boxes(const Boxes& boxes) {
  std::vector<Box> list;
  for (const OwnedBox& one : boxes.list()) list.push_back(one.box);
  return list;
}

void require_dimensions(const Boxes& boxes, const Stencil& directions, std::span<const BoxField> fields) {
  const auto fits = [&](const Counts& widths) {
    return widths.size() == boxes.dimensions() &&
           std::all_of(widths.begin(), widths.end(), [](Count width) { return width >= 0; });
  };
  if (directions.dimensions() != boxes.dimensions())
    fail(Fault::invalid_dimensions, "directions of ", directions.dimensions(), " components; the boxes have ",
         boxes.dimensions());
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (!fits(fields[f].widths.low) || !fits(fields[f].widths.high))
      fail(Fault::invalid_dimensions, "the halo of field ", f, " needs ", boxes.dimensions(),
           " widths on either side, none of them negative");
}

}  // namespace

BoxPieces::BoxPieces(const Boxes& boxes, const Stencil& directions)
    : boxes_(&boxes),
      directions_(directions.offsets()),
      tree_(boxes.mesh() ? only_boxes(boxes) : std::vector<Box>()) {
  if (boxes.mesh()) return;
  into_.resize(boxes.size());
  out_of_.resize(boxes.size());
  for (std::size_t c = 0; c < boxes.connections().size(); ++c) {
    into_[boxes.connections()[c].to].push_back(c);
    out_of_[boxes.connections()[c].from].push_back(c);
  }
}

void BoxPieces::add_region(std::size_t box, const Offset& direction, const GhostWidths& widths,
                           std::vector<Connection>& pieces) const {
  const Box& own = (*boxes_)[box].box;
  const Box region = region_of(own.extents, direction, widths);
  if (!has_points(region)) return;
  for (const Image& image : images_of(moved(region, own.first), *boxes_->mesh()))
    for (const std::size_t from : tree_.touched_by(image.box)) {
      const Box source = (*boxes_)[from].box;
      const Box common = *common_points(image.box, source);
      Connection piece{box, {{}, common.extents}, from, {}, straight(own.extents.size())};
      for (std::size_t d = 0; d < own.extents.size(); ++d) {
        piece.ghosts.first.push_back(region.first[d] + image.at[d] + common.first[d] - image.box.first[d]);
        piece.first.push_back(common.first[d] - source.first[d]);
      }
      pieces.push_back(std::move(piece));
    }
}

std::vector<Connection> BoxPieces::into(std::size_t box, const GhostWidths& widths) const {
  std::vector<Connection> pieces;
  if (boxes_->mesh())
    for (const Offset& direction : directions_) add_region(box, direction, widths, pieces);
  else
    for (const std::size_t c : into_[box])
      if (auto piece = cut(boxes_->connections()[c], (*boxes_)[box].box.extents, widths))
        pieces.push_back(std::move(*piece));
  return pieces;
}

std::vector<std::size_t> BoxPieces::around(std::size_t box, const GhostWidths& widths) const {
  std::vector<std::size_t> found;
  if (boxes_->mesh()) {
    const Box& own = (*boxes_)[box].box;
    const GhostWidths turned{widths.high, widths.low};  // what lies before it has it in the halo behind
    for (const Image& image : images_of(moved(with_halo(own.extents, turned), own.first), *boxes_->mesh())) {
      const std::vector<std::size_t> there = tree_.touched_by(image.box);
      found.insert(found.end(), there.begin(), there.end());
    }
  } else {
    for (const std::size_t c : out_of_[box]) found.push_back(boxes_->connections()[c].to);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

BoxTraffic box_traffic(const Boxes& boxes, const Stencil& directions, std::span<const BoxField> fields) {
  if (boxes.size() == 0) return {};
  require_dimensions(boxes, directions, fields);
  const BoxPieces pieces(boxes, directions);
  BoxTraffic all;
  std::map<std::pair<Rank, Rank>, Count> between;
  for (std::size_t to = 0; to < boxes.size(); ++to)
    for (const BoxField& field : fields)
      for (const Connection& piece : pieces.into(to, field.widths)) {
        const Count bytes = checked_multiply(checked_product(piece.ghosts.extents), field.point_bytes);
        const std::pair ends(boxes[piece.from].owner, boxes[to].owner);
        if (ends.first == ends.second) {
          all.to_itself += Traffic{1, bytes};
        } else {
          Count& sum = between[ends];
          sum = checked_add(sum, bytes);
        }
      }
  std::map<Rank, Traffic> sent;
  for (const auto& [ends, bytes] : between) {
    all.to_others += Traffic{1, bytes};
    sent[ends.first] += Traffic{1, bytes};
  }
  for (const auto& [rank, traffic] : sent) {
    all.most.messages = std::max(all.most.messages, traffic.messages);
    all.most.bytes = std::max(all.most.bytes, traffic.bytes);
  }
  return all;
}

}  // namespace halocline::plan
