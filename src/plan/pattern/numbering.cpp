// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pattern/numbering.hpp"

#include "base/factorization.hpp"
#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace halocline::plan {
namespace {

/// The grid as somebody else may see it.
struct View {
  std::vector<std::size_t> dimensions;  ///< Which of ours comes first, second, ...
  std::vector<bool> back_to_front;      ///< By our dimension.
};

Reading seen(const Reading& reading, const Periodicity& periodicity, const View& view) {
  const std::size_t dimensions = reading.dimensions(), ranks = reading.cells.size() / dimensions;
  Reading other{{}, std::vector<std::int32_t>(reading.cells.size())};
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::size_t ours = view.dimensions[d];
    const auto extent = static_cast<std::int32_t>(reading.extents[ours]);
    other.extents.push_back(extent);
    const std::int32_t first = reading.cells[ours];
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::int32_t x = reading.cells[rank * dimensions + ours];
      std::int32_t& seen = other.cells[rank * dimensions + d];
      if (periodicity[ours])
        seen = view.back_to_front[ours] ? (first - x + extent) % extent : (x - first + extent) % extent;
      else
        seen = view.back_to_front[ours] ? extent - 1 - x : x;
    }
  }
  return other;
}

/// Are ranks numbered box by box, boxes and the cells in each row by row? Whole grids are boxes, too.
bool is_boxes(const Reading& reading, const Counts& box) {
  const std::size_t dimensions = reading.dimensions(), ranks = reading.cells.size() / dimensions;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Count outer = 0, inner = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Count x = reading.cell(rank)[d];
      outer = outer * (reading.extents[d] / box[d]) + x / box[d];
      inner = inner * box[d] + x % box[d];
    }
    Count cells = 1;
    for (const Count side : box) cells *= side;
    if (outer * cells + inner != to_count(rank)) return false;
  }
  return true;
}

/// Does the number of a rank have the bits of its coordinates in turns, the first dimension's highest?
bool is_morton(const Reading& reading) {
  const std::size_t dimensions = reading.dimensions(), ranks = reading.cells.size() / dimensions;
  int most_bits = 0;
  for (const Count extent : reading.extents) {
    if (!std::has_single_bit(to_size(extent))) return false;
    most_bits = std::max(most_bits, std::countr_zero(to_size(extent)));
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::size_t code = 0;
    for (int bit = most_bits; bit-- > 0;)
      for (std::size_t d = 0; d < dimensions; ++d)
        if (to_size(reading.extents[d]) >> (bit + 1) != 0)
          code = 2 * code + (static_cast<std::size_t>(reading.cell(rank)[d]) >> bit & 1U);
    if (code != rank) return false;
  }
  return true;
}

/// visit(box) for all boxes that fill the grid; ends when it returns true.
template <class Visit>
bool any_box(const Counts& extents, Counts& box, const Visit& visit) {
  if (box.size() == extents.size()) return visit(box);
  for (const Count side : divisors(extents[box.size()])) {
    box.push_back(side);
    const bool found = any_box(extents, box, visit);
    box.pop_back();
    if (found) return true;
  }
  return false;
}

std::string row_major_name(const Reading& reading) {
  return is_boxes(reading, reading.extents) ? "row-major" : "";
}

std::string morton_name(const Reading& reading) { return is_morton(reading) ? "Morton order" : ""; }

std::string boxes_name(const Reading& reading) {
  std::string name;
  Counts box;
  (void)any_box(reading.extents, box, [&](const Counts& sides) {
    if (!is_boxes(reading, sides)) return false;
    name = concat("boxes ", join(sides, "x"));
    return true;
  });
  return name;
}

/// The first and the last rank are in the corners, whatever the name.
bool may_have_name(const Reading& reading) {
  const auto ranks = reading.cells.size() / reading.dimensions();
  for (std::size_t d = 0; d < reading.dimensions(); ++d)
    if (reading.cell(0)[d] != 0 || reading.cell(ranks - 1)[d] != reading.extents[d] - 1) return false;
  return true;
}

/// All ways to see a grid that may have a name.
std::vector<NamedReading> views(const Reading& reading, const Periodicity& periodicity) {
  const std::size_t dimensions = reading.dimensions();
  View view{std::vector<std::size_t>(dimensions), std::vector<bool>(dimensions)};
  std::iota(view.dimensions.begin(), view.dimensions.end(), std::size_t{0});
  std::vector<NamedReading> all;
  do {
    for (unsigned mask = 0; mask < 1U << dimensions; ++mask) {
      bool may_fit = true;
      for (std::size_t d = 0; d < dimensions; ++d) {
        view.back_to_front[d] = (mask >> d & 1U) != 0;
        const Count first = view.back_to_front[d] ? reading.extents[d] - 1 : 0;
        may_fit = may_fit && (periodicity[d] || reading.cells[d] == first);
      }
      if (!may_fit) continue;
      Reading other = seen(reading, periodicity, view);
      if (!may_have_name(other)) continue;
      Periodicity turned;
      for (const std::size_t d : view.dimensions) turned.push_back(periodicity[d]);
      all.push_back({std::move(other), "", std::move(turned)});
    }
  } while (std::next_permutation(view.dimensions.begin(), view.dimensions.end()));
  return all;
}

}  // namespace

NamedReading named(Reading reading, Periodicity periodicity) {
  std::vector<NamedReading> all = views(reading, periodicity);
  for (const auto name_of_view : {row_major_name, morton_name, boxes_name})
    for (NamedReading& view : all)
      if (view.name = name_of_view(view.reading); !view.name.empty()) return std::move(view);
  return {std::move(reading), "", std::move(periodicity)};
}

}  // namespace halocline::plan
