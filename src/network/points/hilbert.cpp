// SPDX-License-Identifier: BSD-3-Clause
#include "network/points/hilbert.hpp"

#include "base/numbers.hpp"

#include <bit>

namespace halocline::network {
namespace {

std::uint64_t rotated_left(std::uint64_t bits, std::size_t by, std::size_t width) {
  by %= width;
  if (by == 0) return bits;
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - width);
  return ((bits << by) | (bits >> (width - by))) & all;
}

std::uint64_t gray_code(std::uint64_t number) { return number ^ (number >> 1); }

/// The corner at which the curve enters sub-cube number `cube`, in the coordinates of the parent.
std::uint64_t entry_of(std::uint64_t cube) { return cube == 0 ? 0 : gray_code((cube - 1) / 2 * 2); }

/// The direction along which it leaves that sub-cube.
std::size_t direction_of(std::uint64_t cube, std::size_t dimensions) {
  if (cube == 0) return 0;
  return to_size(std::countr_one(cube % 2 == 0 ? cube - 1 : cube)) % dimensions;
}

}  // namespace

std::size_t hilbert_dimension(const RegionView& region, std::size_t dimensions) {
  return (dimensions - region.cuts + region.direction) % dimensions;
}

RegionView hilbert_view(const RegionView& region, std::size_t, Count piece, std::size_t dimensions) {
  RegionView view = region;
  const auto side = static_cast<std::uint64_t>(piece);
  view.sides = view.sides << 1 | side;
  bool flip = side != 0;
  if (++view.cuts == dimensions) {
    view.entry ^= rotated_left(entry_of(view.sides), view.direction + 1, dimensions);
    view.direction = (view.direction + direction_of(view.sides, dimensions) + 1) % dimensions;
    view.cuts = 0;
    view.sides = 0;
    flip = false;
  }
  const std::size_t next = hilbert_dimension(view, dimensions);
  flip ^= (view.entry >> next & 1) != 0;
  view.reversed = flip ? std::uint64_t{1} << next : 0;
  return view;
}

}  // namespace halocline::network
