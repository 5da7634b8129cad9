// Fields of random elements in random memory, and what each of their bytes must be: told by nothing but the
// coordinates of a point in the mesh.
#pragma once

#include "base/join.hpp"
#include "exchange/scattered_block.hpp"
#include "halo/points.hpp"
#include "halo/staggered_points.hpp"
#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/halo/field_view.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace halocline {

/// Which bytes of a point are data, in which order they travel.
struct Element {
  Layout layout;
  Counts offsets;  ///< From the address of the point.
};

/// Bytes of that many in all, in runs of such lengths at such places.
inline Element element_of(const Counts& lengths, const Counts& places, Count lb, Count extent) {
  Element element{
      Layout::resized(lb, extent, Layout::hindexed(lengths, places, Layout::named(Elementary::byte))), {}};
  for (std::size_t run = 0; run < lengths.size(); ++run)
    for (Count i = 0; i < lengths[run]; ++i) element.offsets.push_back(places[run] + i);
  return element;
}

/// An element of `bytes` bytes. What is `contained` lies within its extent, which begins at 0.
inline Element random_element(Count bytes, bool contained, Random& random) {
  const Count gap = random_in(random, 0, 9);
  switch (bytes == 1 ? random_in(random, 0, 1) : random_in(random, 0, contained ? 3 : 4)) {
    case 0:
      return element_of({bytes}, {0}, 0, bytes);
    case 1:
      return element_of({bytes}, {gap}, 0, bytes + gap + random_in(random, 0, 5));
    case 2: {  // the second part before the first
      const Count first = random_in(random, 1, bytes - 1);
      return element_of({first, bytes - first}, {bytes - first + gap, 0}, 0, bytes + gap);
    }
    case 3: {
      Counts places(static_cast<std::size_t>(bytes));
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<Count>(2 * i);
      return element_of(Counts(places.size(), 1), places, 0, 2 * bytes);
    }
    default:  // before the address of the point
      return element_of({bytes}, {-gap}, -gap, bytes + gap);
  }
}

/// An array of the program: dimensions in any order, forwards or backwards, with gaps between rows.
struct RandomArray {
  static constexpr std::byte guard{0xA5};
  static constexpr Count margin = 64;

  std::vector<std::byte> memory;
  std::byte* first;  ///< The first point of all.
  Counts strides;

  RandomArray(const Counts& extents, const HaloWidths& halo, const Layout& element, Random& random)
      : strides(extents.size()) {
    std::vector<std::size_t> order(extents.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    Count pitch = element.extent() + random_in(random, 0, 1) * random_in(random, 0, 7), before = 0;
    for (const std::size_t d : order) {
      const Count points = extents[d] + halo.low[d] + halo.high[d];
      const bool backwards = random_in(random, 0, 4) == 0;
      strides[d] = backwards ? -pitch : pitch;
      if (backwards) before += pitch * (points - 1);
      pitch *= points;
      pitch += random_in(random, 0, 1) * random_in(random, 0, 40);
    }
    memory.assign(static_cast<std::size_t>(pitch + 2 * margin), guard);
    first = memory.data() + margin + before;
  }
};

/// Which parts of halos an exchange fills.
struct FilledParts {
  Stencil directions;
  bool carries;  ///< Do ghost points beyond open borders travel along?
};

/// One field of this process: where its bytes are, and what they must be.
class WatchedField {
 public:
  WatchedField(std::byte* origin, Counts strides, Counts extents, HaloWidths halo, Element element,
               Count number, Staggered staggered = {})
      : origin_(origin),
        strides_(std::move(strides)),
        extents_(std::move(extents)),
        halo_(std::move(halo)),
        element_(std::move(element)),
        number_(number),
        staggered_(std::move(staggered)) {}

  /// Own points get the values of their mesh points at that time, the halo those of nobody.
  void fill(const Decomposition& decomposition, const Cell& cell, Count time) const {
    const Cell first = decomposition.box(cell).first;
    const Counts own = owned_points(decomposition, cell, staggered_);
    for_each_point(extents_, halo_, [&](const Cell& point) {
      const Count value = is_own(point, own) ? value_of(decomposition, first, point, time)
                                             : nobody(decomposition, cell, point);
      std::byte* const address = at(point);
      for (std::size_t i = 0; i < element_.offsets.size(); ++i)
        address[element_.offsets[i]] = expected(value, i);
    });
  }

  /// Points that hold something else than they must after an exchange of those parts; if there is null,
  /// without one.
  [[nodiscard]] Count wrong(const Decomposition& decomposition, const Cell& cell, const FilledParts* filled,
                            Count time) const {
    const Cell first = decomposition.box(cell).first;
    const Counts own = owned_points(decomposition, cell, staggered_);
    Count wrong = 0;
    Offset where(cell.size(), 0), before = where;  // points side by side mostly lie on the same side
    bool shows = true;                             // before
    Offset from = where;                           // the process whose ghost points it has then, if not
    for_each_point(extents_, halo_, [&](const Cell& point) {
      for (std::size_t d = 0; d < point.size(); ++d) where[d] = side_of(point[d], own[d]);
      if (where != before) {
        before = where;
        const bool fills = filled != nullptr && contains(filled->directions.offsets(), where);
        shows = is_own(point, own) || (fills && decomposition.grid().neighbor(cell, where));
        from = fills && filled->carries ? along_borders(decomposition.grid(), cell, where)
                                        : Offset(where.size(), 0);
      }
      const Count value =
          shows ? value_of(decomposition, first, point, time) : ghost_of(decomposition, cell, from, point);
      const std::byte* const address = at(point);
      for (std::size_t i = 0; i < element_.offsets.size(); ++i)
        if (address[element_.offsets[i]] != expected(value, i)) {
          ++wrong;
          return;
        }
    });
    return wrong;
  }

  /// As it lies on this rank.
  [[nodiscard]] std::string to_text() const {
    return element_.layout.to_text() + " at " + join(extents_, "x") + " points, strides " +
           join(strides_, ",") + " halo " + join(halo_.low, ",") + " and " + join(halo_.high, ",") +
           (staggered_.empty() ? "" : " staggered along " + join(staggered_, ","));
  }

  /// Bytes of its array that are no data and have been touched.
  [[nodiscard]] Count touched(const std::vector<std::byte>& memory) const {
    std::vector<char> data(memory.size());
    for_each_point(extents_, halo_, [&](const Cell& point) {
      const Count place = at(point) - memory.data();
      for (const Count offset : element_.offsets) data[static_cast<std::size_t>(place + offset)] = 1;
    });
    Count touched = 0;
    for (std::size_t i = 0; i < memory.size(); ++i)
      touched += data[i] == 0 && memory[i] != RandomArray::guard;
    return touched;
  }

 private:
  [[nodiscard]] static bool is_own(const Cell& point, const Counts& own) {
    for (std::size_t d = 0; d < point.size(); ++d)
      if (side_of(point[d], own[d]) != 0) return false;
    return true;
  }
  [[nodiscard]] std::byte* at(const Cell& point) const {
    std::byte* address = origin_;
    for (std::size_t d = 0; d < point.size(); ++d) address += point[d] * strides_[d];
    return address;
  }
  /// Of the mesh point at these coordinates, wrapped around where it is periodic.
  [[nodiscard]] Count value_of(const Decomposition& decomposition, const Cell& first, const Cell& point,
                               Count time) const {
    const Mesh& mesh = decomposition.mesh();
    Count index = 0;
    for (std::size_t d = 0; d < point.size(); ++d) {
      const Count extent = mesh_points(mesh, staggered_, d);
      index = index * extent + ((first[d] + point[d]) % extent + extent) % extent;
    }
    return (index * 64 + number_) * 16 + time;
  }
  [[nodiscard]] static bool contains(const std::vector<Offset>& list, const Offset& offset) {
    return std::find(list.begin(), list.end(), offset) != list.end();
  }
  /// What is left of a direction without its steps across open borders.
  [[nodiscard]] static Offset along_borders(const Grid& grid, const Cell& cell, Offset direction) {
    for (std::size_t d = 0; d < cell.size(); ++d) {
      const Count next = cell[d] + direction[d];
      if (!grid.periodic(d) && (next < 0 || next >= grid.extents()[d])) direction[d] = 0;
    }
    return direction;
  }
  /// What the process there had at first at a point, which is counted from here.
  [[nodiscard]] static Count ghost_of(const Decomposition& decomposition, const Cell& cell,
                                      const Offset& there, Cell point) {
    const Cell other = *decomposition.grid().neighbor(cell, there);
    for (std::size_t d = 0; d < point.size(); ++d) {
      if (there[d] > 0) point[d] -= decomposition.extent(d, cell[d]);
      if (there[d] < 0) point[d] += decomposition.extent(d, other[d]);
    }
    return nobody(decomposition, other, point);
  }
  [[nodiscard]] static Count nobody(const Decomposition& decomposition, const Cell& cell, const Cell& point) {
    Count seed = -1 - decomposition.grid().index(cell);
    for (const Count c : point) seed = seed * 1009 - c;
    return std::min(seed, -seed);
  }
  [[nodiscard]] static std::byte expected(Count value, std::size_t i) {
    std::uint64_t x = static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15ULL + i * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 29)) * 0x94d049bb133111ebULL;
    return static_cast<std::byte>(x >> 56);
  }

  std::byte* origin_;
  Counts strides_, extents_;
  HaloWidths halo_;
  Element element_;
  Count number_;
  Staggered staggered_;
};

}  // namespace halocline
