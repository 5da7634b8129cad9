// SPDX-License-Identifier: BSD-3-Clause
// The acoustic wave equation, second order in time and eighth in space, for the two wave programs: both do
// the same arithmetic at every point, so that their answers agree to the last bit.
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

/// Values at the points of one process, in rows along dimension 2; the first own point is at `origin`.
struct Values {
  double* origin;
  Count plane, row;  ///< Distances along dimensions 0 and 1, in values.

  [[nodiscard]] double* at(Count i, Count j) const { return origin + i * plane + j * row; }
};

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

/// The Laplace operator at p[k], in units of the mesh width.
inline double laplace(const double* p, Count k, Count plane, Count row) {
  constexpr std::array<double, 5> weight{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  double sum = 3 * weight[0] * p[k];
  for (Count r = 1; r <= width; ++r)
    sum +=
        weight[static_cast<std::size_t>(r)] *
        (((p[k - r * plane] + p[k + r * plane]) + (p[k - r * row] + p[k + r * row])) + (p[k - r] + p[k + r]));
  return sum;
}

/// One time step: `before` becomes what comes after `now`. `courant` is the square of speed times time step
/// over mesh width at each point.
inline void leap(const Values& now, const Values& before, const Values& courant, const Region& region) {
  for (Count i = region.first[0]; i < region.end[0]; ++i)
    for (Count j = region.first[1]; j < region.end[1]; ++j) {
      const double* const __restrict u = now.at(i, j);
      const double* const __restrict c = courant.at(i, j);
      double* const __restrict v = before.at(i, j);
      for (Count k = region.first[2]; k < region.end[2]; ++k)
        v[k] = (2 * u[k] - v[k]) + c[k] * laplace(u, k, now.plane, now.row);
    }
}

/// This process's share of the energy, which these time steps preserve but for rounding, whatever the medium.
/// @pre the halo of `now` is filled
inline double energy(const Values& now, const Values& before, const Values& courant, const Triple& extents) {
  double sum = 0;
  for (Count i = 0; i < extents[0]; ++i)
    for (Count j = 0; j < extents[1]; ++j) {
      const double *const u = now.at(i, j), *const v = before.at(i, j), *const c = courant.at(i, j);
      for (Count k = 0; k < extents[2]; ++k)
        sum += (u[k] - v[k]) * (u[k] - v[k]) / c[k] - v[k] * laplace(u, k, now.plane, now.row);
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
