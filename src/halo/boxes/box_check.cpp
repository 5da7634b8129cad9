// SPDX-License-Identifier: BSD-3-Clause
#include "halo/boxes/box_check.hpp"

#include "base/fail.hpp"
#include "base/hash.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halo/fields/field_points.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline::halo {
namespace {

/// On which side of the own points: -1, 0 or 1 for each dimension.
Offset side_of(const Cell& point, const Counts& extents) {
  Offset side;
  for (std::size_t d = 0; d < point.size(); ++d)
    side.push_back(point[d] < 0 ? -1 : point[d] >= extents[d] ? 1 : 0);
  return side;
}

bool is_in(const Box& box, const Cell& point) {
  for (std::size_t d = 0; d < point.size(); ++d)
    if (point[d] < box.first[d] || point[d] >= box.first[d] + box.extents[d]) return false;
  return true;
}

}  // namespace

std::optional<ShownPoint> ShownPoints::shown_by(std::size_t box, const Cell& point) const {
  if (side_of(point, (*boxes_)[box].box.extents) == Offset(point.size(), 0)) return std::nullopt;
  return boxes_->mesh() ? in_mesh(box, point) : connected(box, point);
}

std::optional<ShownPoint> ShownPoints::in_mesh(std::size_t box, const Cell& point) const {
  const Box& own = (*boxes_)[box].box;
  const std::vector<Offset>& filled = directions_.offsets();
  if (std::find(filled.begin(), filled.end(), side_of(point, own.extents)) == filled.end())
    return std::nullopt;
  const Mesh& mesh = *boxes_->mesh();
  Cell there;
  for (std::size_t d = 0; d < point.size(); ++d) {
    Count at = own.first[d] + point[d];
    if (mesh.periodic(d)) at = floor_modulo(at, mesh.extents()[d]);
    there.push_back(at);
  }
  for (std::size_t b = 0; b < boxes_->size(); ++b) {
    const Box& other = (*boxes_)[b].box;
    if (!is_in(other, there)) continue;
    for (std::size_t d = 0; d < there.size(); ++d) there[d] -= other.first[d];
    return ShownPoint{b, there};
  }
  return std::nullopt;
}

std::optional<ShownPoint> ShownPoints::connected(std::size_t box, const Cell& point) const {
  for (const Connection& connection : boxes_->connections()) {
    if (connection.to != box || !is_in(connection.ghosts, point)) continue;
    ShownPoint shown{connection.from, connection.first};
    for (std::size_t d = 0; d < point.size(); ++d) {
      const auto [along, backwards] = connection.axes[d];
      const Count steps = point[d] - connection.ghosts.first[d];
      shown.point[along] += backwards ? -steps : steps;
    }
    return shown;
  }
  return std::nullopt;
}

BoxCheck::BoxCheck(const ShownPoints& shown, std::size_t box, const FieldView& view, std::size_t field,
                   std::uint64_t pass)
    : shown_(&shown),
      box_(box),
      view_(&view),
      field_(field),
      pass_(pass),
      packer_(compile::Part{view.element(), 1, 0}) {}

BoxCheck::Bytes BoxCheck::saved() const {
  Bytes values;
  for_each_field_point(*view_, [&](const Cell& point) {
    const Bytes value = read(point);
    values.insert(values.end(), value.begin(), value.end());
  });
  return values;
}

void BoxCheck::restore(const Bytes& values) const {
  const std::byte* next = values.data();
  for_each_field_point(*view_, [&](const Cell& point) {
    write(point, next);
    next += packer_.bytes();
  });
}

void BoxCheck::fill() const {
  for_each_field_point(*view_, [&](const Cell& point) { write(point, value_of(box_, point).data()); });
}

void BoxCheck::require_right() const {
  for_each_field_point(*view_, [&](const Cell& point) {
    const auto shown = shown_->shown_by(box_, point);
    if (read(point) == (shown ? value_of(shown->box, shown->point) : value_of(box_, point))) return;
    fail(Fault::internal, "field ", field_, " on box ", box_, " holds a wrong value at its point (",
         join(point, ","), "), which ",
         shown ? concat("shows (", join(shown->point, ","), ") of box ", shown->box)
               : std::string("should not have been touched"));
  });
}

/// Of a point before an exchange; ghost points have values of their own.
BoxCheck::Bytes BoxCheck::value_of(std::size_t box, const Cell& point) const {
  auto seed = static_cast<std::uint64_t>(box) * 1000003 + field_;
  for (const Count c : point) seed = split_mixed(seed + golden_ratio + static_cast<std::uint64_t>(c));
  seed += pass_;
  return stamp(seed, packer_.bytes());
}

BoxCheck::Bytes BoxCheck::read(const Cell& point) const {
  Bytes value(to_size(packer_.bytes()));
  packer_.pack(static_cast<const std::byte*>(view_->at(point)), value.data());
  return value;
}

void BoxCheck::write(const Cell& point, const std::byte* value) const {
  packer_.unpack(value, static_cast<std::byte*>(view_->at(point)));
}

}  // namespace halocline::halo
