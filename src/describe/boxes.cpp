// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/boxes.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "describe/box_tree.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace halocline {
namespace {

std::string name_of(const Box& box) {
  return concat("(", join(box.first, ","), ")+", join(box.extents, "x"));
}

/// Throws unless it has as many dimensions everywhere, and points.
void require_points(const Box& box, std::size_t dimensions, const std::string& name) {
  if (box.first.size() != dimensions || box.extents.size() != dimensions)
    fail(Fault::invalid_dimensions, name, " has ", box.first.size(), " coordinates and ", box.extents.size(),
         " extents; it needs ", dimensions);
  for (const Count extent : box.extents)
    if (extent < 1) fail(Fault::invalid_dimensions, name, " ", name_of(box), " has no points");
  for (std::size_t d = 0; d < dimensions; ++d) (void)checked_add(box.first[d], box.extents[d]);
}

void require_owners(const std::vector<OwnedBox>& boxes) {
  for (std::size_t b = 0; b < boxes.size(); ++b)
    require(boxes[b].owner >= 0, "box ", b, " is owned by rank ", boxes[b].owner, "; ranks begin at 0");
}

/// Two that have points in common, the first one of the lower number.
std::optional<std::pair<std::size_t, std::size_t>> overlapping(const std::vector<Box>& boxes) {
  const BoxTree tree(boxes);
  for (std::size_t b = 0; b < boxes.size(); ++b)
    for (const std::size_t other : tree.touched_by(boxes[b]))
      if (other != b) return std::pair(std::min(b, other), std::max(b, other));
  return std::nullopt;
}

std::vector<Box> only_boxes(const std::vector<OwnedBox>& owned) {
  std::vector<Box> boxes;
  boxes.reserve(owned.size());
  for (const OwnedBox& one : owned) boxes.push_back(one.box);
  return boxes;
}

std::vector<Connection::Axis> straight(std::size_t dimensions) {
  std::vector<Connection::Axis> axes;
  for (std::size_t d = 0; d < dimensions; ++d) axes.push_back({d});
  return axes;
}

void require_axes(const Connection& connection, std::size_t dimensions, const std::string& name) {
  require(connection.axes.size() == dimensions, name, " has ", connection.axes.size(), " axes; it needs ",
          dimensions, ", or none");
  std::vector<bool> seen(dimensions, false);
  for (const Connection::Axis& axis : connection.axes) {
    require(axis.dimension < dimensions, name, " names dimension ", axis.dimension, " of ", dimensions);
    require(!seen[axis.dimension], name, " goes along dimension ", axis.dimension, " twice");
    seen[axis.dimension] = true;
  }
}

/// Throws unless all that it shows are own points of `from`.
void require_shown(const Connection& connection, const Box& from, const std::string& name) {
  for (std::size_t d = 0; d < connection.axes.size(); ++d) {
    const auto [along, backwards] = connection.axes[d];
    const Count steps = connection.ghosts.extents[d] - 1, first = connection.first[along];
    const Count last = backwards ? checked_subtract(first, steps) : checked_add(first, steps);
    if (std::min(first, last) < 0 || std::max(first, last) >= from.extents[along])
      fail(Fault::invalid_dimensions, name, " shows points ", first, " to ", last, " along dimension ", along,
           " of box ", connection.from, ", which has ", from.extents[along]);
  }
}

void check(Connection& connection, const std::vector<OwnedBox>& boxes, const std::string& name) {
  const std::size_t dimensions = boxes.front().box.extents.size();
  require(connection.to < boxes.size() && connection.from < boxes.size(), name, " leads from box ",
          connection.from, " to box ", connection.to, "; there are ", boxes.size());
  require_points(connection.ghosts, dimensions, concat("what ", name, " fills"));
  if (connection.first.size() != dimensions)
    fail(Fault::invalid_dimensions, name, " begins at a point of ", connection.first.size(),
         " coordinates; it needs ", dimensions);
  if (connection.axes.empty()) connection.axes = straight(dimensions);
  require_axes(connection, dimensions, name);
  require_shown(connection, boxes[connection.from].box, name);
  const Box own{Cell(dimensions, 0), boxes[connection.to].box.extents};
  require(!common_points(own, connection.ghosts), name, " fills ", name_of(connection.ghosts),
          ", which has own points of box ", connection.to, " in it");
}

void require_apart(const std::vector<Connection>& connections) {
  std::map<std::size_t, std::vector<std::size_t>> of_box;
  for (std::size_t c = 0; c < connections.size(); ++c) of_box[connections[c].to].push_back(c);
  for (const auto& [to, numbers] : of_box) {
    std::vector<Box> ghosts;
    for (const std::size_t c : numbers) ghosts.push_back(connections[c].ghosts);
    if (const auto both = overlapping(ghosts))
      fail(Fault::invalid_argument, "connections ", numbers[both->first], " and ", numbers[both->second],
           " fill the same points of box ", to);
  }
}

}  // namespace

Boxes::Boxes(Mesh mesh, std::vector<OwnedBox> boxes) : mesh_(std::move(mesh)), boxes_(std::move(boxes)) {
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    const Box& box = boxes_[b].box;
    require_points(box, mesh_->dimensions(), concat("box ", b));
    for (std::size_t d = 0; d < mesh_->dimensions(); ++d)
      if (box.first[d] < 0 || box.first[d] + box.extents[d] > mesh_->extents()[d])
        fail(Fault::invalid_dimensions, "box ", b, " ", name_of(box), " reaches beyond the mesh ",
             mesh_->to_text());
  }
  require_owners(boxes_);
  if (const auto both = overlapping(only_boxes(boxes_)))
    fail(Fault::invalid_dimensions, "box ", both->first, " ", name_of(boxes_[both->first].box), " and box ",
         both->second, " ", name_of(boxes_[both->second].box), " have points in common");
}

Boxes::Boxes(std::vector<OwnedBox> boxes, std::vector<Connection> connections)
    : boxes_(std::move(boxes)), connections_(std::move(connections)) {
  require(!boxes_.empty(), "no boxes; connections need some");
  for (std::size_t b = 0; b < boxes_.size(); ++b)
    require_points(boxes_[b].box, boxes_.front().box.extents.size(), concat("box ", b));
  require_owners(boxes_);
  for (std::size_t c = 0; c < connections_.size(); ++c)
    check(connections_[c], boxes_, concat("connection ", c));
  require_apart(connections_);
}

std::size_t Boxes::dimensions() const {
  return mesh_ ? mesh_->dimensions() : boxes_.front().box.extents.size();
}

std::vector<std::size_t> Boxes::of(Rank rank) const {
  std::vector<std::size_t> numbers;
  for (std::size_t b = 0; b < boxes_.size(); ++b)
    if (boxes_[b].owner == rank) numbers.push_back(b);
  return numbers;
}

}  // namespace halocline
