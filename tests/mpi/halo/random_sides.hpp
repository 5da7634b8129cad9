// Random descriptions of what is beyond the sides of a mesh.
#pragma once

#include "halo/random_grounds.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/sides.hpp"

#include <optional>
#include <vector>

namespace halocline {

inline std::vector<Side::Odd> random_odd(Random& random) {
  if (coin(random)) return {};
  if (coin(random, 3)) return {Side::Odd{}};
  if (coin(random)) return {Side::Odd{0, 0}};
  return {Side::Odd{static_cast<std::size_t>(random_in(random, 0, 1)), Side::Odd::all}, Side::Odd{0, 0}};
}

inline std::optional<Side> random_side(std::size_t dimension, Side::Which which, const Mesh& mesh,
                                       Random& random) {
  Side side{dimension, static_cast<Side::Kind>(random_in(random, 0, 4)), which};
  if (side.kind == Side::Kind::shear && which != Side::Which::both) return std::nullopt;
  if ((side.kind == Side::Kind::fold_t || side.kind == Side::Kind::fold_f) && which == Side::Which::both)
    return std::nullopt;
  side.odd = random_odd(random);
  if (side.kind == Side::Kind::mirror_face || side.kind == Side::Kind::mirror_point) return side;
  std::vector<std::size_t> around;
  for (std::size_t d = 0; d < mesh.dimensions(); ++d)
    if (mesh.periodic(d)) around.push_back(d);
  if (around.empty()) return std::nullopt;
  side.along = any_of(around, random);
  const Count extent = mesh.extents()[side.along];
  if (side.kind == Side::Kind::shear) side.shift = random_in(random, 1 - extent, extent - 1);
  return side;
}

/// With all that is allowed, and something at least if there is an open dimension.
inline Sides random_sides(const Mesh& mesh, Random& random) {
  for (;;) {
    std::vector<Side> list;
    for (std::size_t d = 0; d < mesh.dimensions(); ++d) {
      if (mesh.periodic(d) || coin(random, 6)) continue;
      const std::vector<Side::Which> ends =
          coin(random) ? std::vector<Side::Which>{Side::Which::both}
                       : std::vector<Side::Which>{Side::Which::low, Side::Which::high};
      for (const Side::Which end : ends)
        if (const auto side = random_side(d, end, mesh, random)) list.push_back(*side);
    }
    std::vector<std::vector<std::size_t>> at(2);
    for (std::size_t d = 0; coin(random) && d < mesh.dimensions(); ++d)
      if (coin(random)) at[static_cast<std::size_t>(random_in(random, 0, 1))].push_back(d);
    if (list.empty()) at.clear();
    try {
      return Sides(list, at);
    } catch (const Error&) {  // two that go along one dimension
      continue;
    }
  }
}

}  // namespace halocline
