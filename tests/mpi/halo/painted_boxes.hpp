// Random boxes, in meshes and connected by hand, fields on them, and what each of their ghost points must
// show: painted point by point, by coordinates alone.
#pragma once

#include "halo/random_fields.hpp"
#include "halocline/describe/boxes.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace halocline::painted_boxes {

/// An own point of a box.
struct Place {
  std::size_t box;
  Cell point;
};

/// What ghost points show, painted point by point.
class Painted {
 public:
  Painted(const Boxes& boxes, const Stencil& directions) : boxes_(boxes), directions_(directions) {
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (!boxes.mesh()) break;
      for_each_point(boxes[b].box.extents, HaloWidths(Counts(boxes.dimensions(), 0)), [&](const Cell& point) {
        Cell there = point;
        for (std::size_t d = 0; d < there.size(); ++d) there[d] += boxes[b].box.first[d];
        owned_[boxes.mesh()->index(there)] = {b, point};
      });
    }
    for (const Connection& connection : boxes.connections())
      for_each_point(
          connection.ghosts.extents, HaloWidths(Counts(boxes.dimensions(), 0)), [&](const Cell& step) {
            Cell ghost = step, point = connection.first;
            for (std::size_t d = 0; d < step.size(); ++d) {
              ghost[d] += connection.ghosts.first[d];
              point[connection.axes[d].dimension] += connection.axes[d].backwards ? -step[d] : step[d];
            }
            connected_[{connection.to, ghost}] = {connection.from, point};
          });
  }

  [[nodiscard]] const Place* shown_by(std::size_t box, const Cell& point) const {
    const Counts& extents = boxes_[box].box.extents;
    const Offset side = side_of(point, extents);
    if (side == Offset(side.size(), 0)) return nullptr;
    if (!boxes_.mesh()) {
      const auto found = connected_.find({box, point});
      return found == connected_.end() ? nullptr : &found->second;
    }
    const std::vector<Offset>& filled = directions_.offsets();
    if (std::find(filled.begin(), filled.end(), side) == filled.end()) return nullptr;
    const Mesh& mesh = *boxes_.mesh();
    Cell there;
    for (std::size_t d = 0; d < point.size(); ++d) {
      Count at = boxes_[box].box.first[d] + point[d];
      const Count extent = mesh.extents()[d];
      if (at < 0 || at >= extent) {
        if (!mesh.periodic(d)) return nullptr;
        while (at < 0) at += extent;
        while (at >= extent) at -= extent;
      }
      there.push_back(at);
    }
    const auto found = owned_.find(mesh.index(there));
    return found == owned_.end() ? nullptr : &found->second;
  }

 private:
  const Boxes& boxes_;
  Stencil directions_;
  std::map<Count, Place> owned_;
  std::map<std::pair<std::size_t, Cell>, Place> connected_;
};

inline std::uint64_t number_of(std::size_t box, const Cell& point, std::size_t field, Count time) {
  std::uint64_t number = box * 7919 + field * 104729 + static_cast<std::uint64_t>(time);
  for (const Count c : point) number = number * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(c) + 1;
  return number;
}
inline std::byte byte_of(std::uint64_t number, std::size_t i) {
  number += i * 0xbf58476d1ce4e5b9ULL;
  number = (number ^ (number >> 29)) * 0x94d049bb133111ebULL;
  return static_cast<std::byte>(number >> 56);
}

/// A field on the boxes of this process, each in memory of its own.
struct BoxField {
  Element element;
  HaloWidths halo;
  std::vector<std::unique_ptr<RandomArray>> arrays;
  std::vector<FieldView> views;

  void for_each_byte(std::size_t i, const auto& visit) const {
    const FieldView& view = views[i];
    for_each_point(view.extents(), halo, [&](const Cell& point) {
      auto* const address = static_cast<std::byte*>(view.at(point));
      for (std::size_t k = 0; k < element.offsets.size(); ++k) visit(point, k, address[element.offsets[k]]);
    });
  }
};

/// In memory of their own, for each box of this process.
inline void add_arrays(BoxField& field, const Boxes& boxes, Random& own) {
  for (const std::size_t box : boxes.of(world_rank())) {
    const Counts& extents = boxes[box].box.extents;
    const Layout& layout = field.element.layout;
    field.arrays.push_back(std::make_unique<RandomArray>(extents, field.halo, layout, own));
    const RandomArray& array = *field.arrays.back();
    std::byte* origin = array.first;
    for (std::size_t d = 0; d < extents.size(); ++d) origin += field.halo.low[d] * array.strides[d];
    field.views.emplace_back(origin, layout, extents, array.strides, field.halo);
  }
}

inline BoxField random_field(const Boxes& boxes, Count widest, Random& common, Random& own) {
  const std::size_t dimensions = boxes.dimensions();
  BoxField field{random_element(random_in(common, 1, 24), true, common), {}, {}, {}};
  for (std::size_t d = 0; d < dimensions; ++d) {
    field.halo.low.push_back(random_in(common, 0, widest));
    field.halo.high.push_back(random_in(common, 0, widest));
  }
  add_arrays(field, boxes, own);
  return field;
}

inline Boxes random_cut(Random& random) {
  const auto dimensions = static_cast<std::size_t>(random_in(random, 1, 4));
  Counts extents;
  Periodicity periodicity;
  for (std::size_t d = 0; d < dimensions; ++d) {
    extents.push_back(random_in(random, 1, dimensions < 3 ? 14 : 6));
    periodicity.push_back(random_in(random, 0, 1) == 1);
  }
  std::vector<Box> boxes{{Cell(dimensions, 0), extents}};
  for (Count cuts = random_in(random, 0, 12); cuts > 0; --cuts) {
    Box& box = boxes[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(boxes.size()) - 1))];
    const auto d = static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(dimensions) - 1));
    if (box.extents[d] < 2) continue;
    const Count below = random_in(random, 1, box.extents[d] - 1);
    Box above = box;
    above.first[d] += below;
    above.extents[d] -= below;
    box.extents[d] = below;
    boxes.push_back(above);
  }
  std::shuffle(boxes.begin(), boxes.end(), random);
  if (random_in(random, 0, 2) == 0) boxes.resize((boxes.size() + 1) / 2);  // nobody owns the others
  std::vector<OwnedBox> owned;
  const Count last = random_in(random, 0, world_size() - 1);
  for (const Box& box : boxes) owned.push_back({random_in(random, 0, last), box});
  return Boxes(Mesh(extents, periodicity), owned);
}

/// Ghosts somewhere around a box, of extents that `from` has along these axes.
inline Connection random_connection(const std::vector<OwnedBox>& boxes, Random& random) {
  const std::size_t dimensions = boxes.front().box.extents.size();
  const auto any = [&] {
    return static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(boxes.size()) - 1));
  };
  Connection connection{any(), {}, any(), Cell(dimensions, 0), {}};
  const Counts &to = boxes[connection.to].box.extents, &from = boxes[connection.from].box.extents;
  std::vector<std::size_t> along(dimensions);
  std::iota(along.begin(), along.end(), std::size_t{0});
  std::shuffle(along.begin(), along.end(), random);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const bool backwards = random_in(random, 0, 1) == 1;
    const Count extent = random_in(random, 1, from[along[d]]);
    const Count lowest = random_in(random, 0, from[along[d]] - extent);
    connection.axes.push_back({along[d], backwards});
    connection.ghosts.first.push_back(random_in(random, -4, to[d] + 3));
    connection.ghosts.extents.push_back(extent);
    connection.first[along[d]] = backwards ? lowest + extent - 1 : lowest;
  }
  return connection;
}

inline Boxes random_connected(Random& random) {
  const auto dimensions = static_cast<std::size_t>(random_in(random, 1, 3));
  std::vector<OwnedBox> boxes;
  for (Count count = random_in(random, 1, 7); count > 0; --count) {
    Counts extents;
    for (std::size_t d = 0; d < dimensions; ++d) extents.push_back(random_in(random, 1, 6));
    boxes.push_back({random_in(random, 0, world_size() - 1), {Cell(dimensions, 0), extents}});
  }
  std::vector<Connection> connections;
  for (Count tries = random_in(random, 0, 40); tries > 0; --tries) {
    std::vector<Connection> more = connections;
    more.push_back(random_connection(boxes, random));
    try {
      (void)Boxes(boxes, more);
      connections = std::move(more);
    } catch (const Error&) {
      continue;  // in the way of others
    }
  }
  return Boxes(boxes, connections);
}

inline Stencil some_directions(std::size_t dimensions, Random& random) {
  const Stencil all = Stencil::moore(dimensions, 1);
  if (random_in(random, 0, 1) == 0) return all;
  std::vector<Offset> some;
  for (const Offset& offset : all.offsets())
    if (random_in(random, 0, 2) > 0 || some.empty()) some.push_back(offset);
  return Stencil(some);
}

inline void fill(const std::vector<BoxField>& fields, const std::vector<std::size_t>& own, Count time) {
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (std::size_t i = 0; i < own.size(); ++i)
      fields[f].for_each_byte(i, [&](const Cell& point, std::size_t k, std::byte& at) {
        at = byte_of(number_of(own[i], point, f, time), k);
      });
}

inline Count wrong_bytes(const Painted& painted, const std::vector<BoxField>& fields,
                         const std::vector<std::size_t>& own, Count time) {
  Count wrong = 0;
  for (std::size_t f = 0; f < fields.size(); ++f)
    for (std::size_t i = 0; i < own.size(); ++i)
      fields[f].for_each_byte(i, [&](const Cell& point, std::size_t k, const std::byte& at) {
        const Place* const shown = painted.shown_by(own[i], point);
        const std::uint64_t number = shown == nullptr ? number_of(own[i], point, f, time)
                                                      : number_of(shown->box, shown->point, f, time);
        wrong += at != byte_of(number, k);
      });
  return wrong;
}

/// A field of numbers of 64 bits.
inline BoxField number_field(const Boxes& boxes, Count widest, Random& common, Random& own) {
  BoxField field{{Layout::named(Elementary::int64), {}}, {}, {}, {}};
  for (Count k = 0; k < 8; ++k) field.element.offsets.push_back(k);
  for (std::size_t d = 0; d < boxes.dimensions(); ++d) {
    field.halo.low.push_back(random_in(common, 0, widest));
    field.halo.high.push_back(random_in(common, 0, widest));
  }
  add_arrays(field, boxes, own);
  return field;
}

inline std::string text_of(const Boxes& boxes) {
  std::string text = boxes.mesh() ? boxes.mesh()->to_text() : "connected";
  for (const OwnedBox& one : boxes.list())
    text +=
        " " + std::to_string(one.owner) + ":" + join(one.box.first, ",") + "+" + join(one.box.extents, "x");
  return text;
}

}  // namespace halocline::painted_boxes
