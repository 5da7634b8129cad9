// SPDX-License-Identifier: BSD-3-Clause
// The acoustic wave equation, second order in time and eighth in space, for the two wave programs: both do
// the same arithmetic at every point, so that their answers agree to the last bit. A view is whatever gives
// the value at a point of this process or around it: view(i, j, k).
#pragma once

#include <halocline/base/count.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace wave {

using halocline::Count;
using Triple = std::array<Count, 3>;

/// Points that the stencil reaches along each dimension.
constexpr Count width = 4;

/// Own points from `first` to before `end`.
struct Region {
  Triple first, end;
};

/// The points of a box that need nothing of their neighbours, and those that do, in up to six parts.
struct Parts {
  Region interior;
  std::vector<Region> border;
};
inline Parts parts_of(const Triple& extents) {
  Parts parts{{{0, 0, 0}, extents}, {}};
  for (std::size_t d = 0; d < 3; ++d) {
    const Count low = std::min(width, extents[d]), high = std::max(low, extents[d] - width);
    Region before = parts.interior, behind = parts.interior;
    before.end[d] = low;
    behind.first[d] = high;
    parts.border.push_back(before);
    if (high < extents[d]) parts.border.push_back(behind);
    parts.interior.first[d] = low;
    parts.interior.end[d] = high;
  }
  return parts;
}

/// The Laplace operator at a point, in units of the mesh width.
template <class View>
double laplace(const View& u, Count i, Count j, Count k) {
  constexpr std::array<double, 5> weight{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  double sum = 3 * weight[0] * u(i, j, k);
  for (Count r = 1; r <= width; ++r)
    sum += weight[static_cast<std::size_t>(r)] *
           (((u(i - r, j, k) + u(i + r, j, k)) + (u(i, j - r, k) + u(i, j + r, k))) +
            (u(i, j, k - r) + u(i, j, k + r)));
  return sum;
}

/// One time step: `before` becomes what comes after `now`. `courant` is the square of speed times time step
/// over mesh width at each point.
template <class View>
void leap(View now, View before, View courant, const Region& region) {
  for (Count i = region.first[0]; i < region.end[0]; ++i)
    for (Count j = region.first[1]; j < region.end[1]; ++j)
      for (Count k = region.first[2]; k < region.end[2]; ++k)
        before(i, j, k) = (2 * now(i, j, k) - before(i, j, k)) + courant(i, j, k) * laplace(now, i, j, k);
}

/// This process's share of the energy, which these time steps preserve but for rounding, whatever the medium.
/// @pre the halo of `now` is filled
template <class View>
double energy(View now, View before, View courant, const Triple& extents) {
  double sum = 0;
  for (Count i = 0; i < extents[0]; ++i)
    for (Count j = 0; j < extents[1]; ++j)
      for (Count k = 0; k < extents[2]; ++k) {
        const double moved = now(i, j, k) - before(i, j, k);
        sum += moved * moved / courant(i, j, k) - before(i, j, k) * laplace(now, i, j, k);
      }
  return sum;
}

/// A point of the mesh, each coordinate from 0 to 1.
inline std::array<double, 3> position(const Triple& point, const Triple& mesh) {
  std::array<double, 3> x{};
  for (std::size_t d = 0; d < 3; ++d)
    x[d] = (static_cast<double>(point[d]) + 0.5) / static_cast<double>(mesh[d]);
  return x;
}

inline double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                   (a[2] - b[2]) * (a[2] - b[2]));
}

/// The medium: slow above, faster below a wavy interface, a fast ball in the lower part. Stable below 0.2.
inline double courant_at(const Triple& point, const Triple& mesh) {
  const std::array<double, 3> x = position(point, mesh);
  if (distance(x, {0.75, 0.5, 0.35}) < 0.12) return 0.16;
  return x[0] > 0.5 + 0.06 * std::sin(6.283185307179586 * x[2]) ? 0.1 : 0.04;
}

/// The start: a pulse at rest in the upper part, wider than it can be seen to be coarse.
inline double pulse_at(const Triple& point, const Triple& mesh) {
  const double r = distance(position(point, mesh), {0.25, 0.5, 0.6}) / 0.035;
  return (1 - r * r) * std::exp(-0.5 * r * r);
}

}  // namespace wave
