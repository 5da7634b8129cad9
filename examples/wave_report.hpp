// SPDX-License-Identifier: BSD-3-Clause
// What both wave programs print, in the same words, so that they can be compared line by line.
#pragma once

#include "checksum.hpp"
#include "png.hpp"
#include "program.hpp"
#include "wave_numerics.hpp"

#include <cmath>

namespace wave {

/// Relative change of the energy that rounding may bring about.
constexpr double allowed_drift = 1e-11;

inline std::vector<example::Option> options() {
  return {{"--mesh", "128x128x128", "points of the mesh; dimension 0 is open, the others wrap around"},
          {"--steps", "100", "time steps"},
          {"--picture", "", "write the middle slice to this PNG file"}};
}

inline Triple triple(const halocline::Counts& counts) { return {counts[0], counts[1], counts[2]}; }

/// visit(i, j, k) for all own points.
template <class Visit>
void for_each_point(const Triple& extents, const Visit& visit) {
  for (Count i = 0; i < extents[0]; ++i)
    for (Count j = 0; j < extents[1]; ++j)
      for (Count k = 0; k < extents[2]; ++k) visit(i, j, k);
}

template <class View>
void set_up(View now, View before, View courant, const Triple& mesh, const Triple& first,
            const Triple& extents) {
  for_each_point(extents, [&](Count i, Count j, Count k) {
    const Triple point{first[0] + i, first[1] + j, first[2] + k};
    now(i, j, k) = before(i, j, k) = pulse_at(point, mesh);
    courant(i, j, k) = courant_at(point, mesh);
  });
}

/// Seconds of this process.
struct Times {
  double halo = 0, total = 0;
};

/// The slice in the middle of dimension 1, from all processes.
template <class View>
std::vector<double> middle_slice(View now, const Triple& mesh, const Triple& first, const Triple& extents) {
  std::vector<double> mine(static_cast<std::size_t>(mesh[0] * mesh[2])), all(mine.size());
  const Count j = mesh[1] / 2 - first[1];
  if (j >= 0 && j < extents[1])
    for (Count i = 0; i < extents[0]; ++i)
      for (Count k = 0; k < extents[2]; ++k)
        mine[static_cast<std::size_t>((first[0] + i) * mesh[2] + first[2] + k)] = now(i, j, k);
  MPI_Reduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

/// Blue below zero, red above, white at rest; the medium shines through in grey.
inline void draw(const std::string& path, const std::vector<double>& slice, const Triple& mesh) {
  double largest = 1e-300;
  for (const double value : slice) largest = std::max(largest, std::abs(value));
  const Count scale = std::max(Count{1}, 512 / std::max(mesh[0], mesh[2]));
  example::Picture picture(mesh[2] * scale, mesh[0] * scale);
  for (Count y = 0; y < picture.height(); ++y)
    for (Count x = 0; x < picture.width(); ++x) {
      const Count i = y / scale, k = x / scale;
      const double u = slice[static_cast<std::size_t>(i * mesh[2] + k)] / largest;
      const double strength = std::min(1.0, std::sqrt(std::abs(u)) * 1.2);
      const double light = 255 - 400 * (courant_at({i, mesh[1] / 2, k}, mesh) - 0.04);
      const auto faded = [&](double colour) { return light + strength * (colour - light); };
      picture.set(x, y, faded(u > 0 ? 200 : 20), faded(u > 0 ? 40 : 70), faded(u > 0 ? 30 : 190));
    }
  picture.write(path);
}

/// Prints times, energy and checksum, draws if it is wanted, and says whether the energy was preserved.
/// Collective.
template <class View>
bool report(const example::Arguments& arguments, const Times& times, double energy_before,
            double energy_after, View now, const Triple& mesh, const Triple& first, const Triple& extents) {
  const double e0 = example::combined(energy_before, MPI_SUM), e1 = example::combined(energy_after, MPI_SUM);
  const double drift = std::abs(e1 - e0) / e0;
  example::Checksum checksum;
  for_each_point(extents, [&](Count i, Count j, Count k) {
    const Count point = ((first[0] + i) * mesh[1] + first[1] + j) * mesh[2] + first[2] + k;
    checksum.add(point, now(i, j, k));
  });
  const double halo_mean = example::combined(times.halo, MPI_SUM) / example::ranks();
  example::say("halo %.4f s on average, all %.4f s\n", halo_mean, example::combined(times.total, MPI_MAX));
  example::say("energy %.6f, relative change %.1e, allowed %.1e\n", e1, drift, allowed_drift);
  example::say("checksum %s\n", checksum.total().c_str());
  if (const std::string& path = arguments.text("--picture"); !path.empty()) {
    const std::vector<double> slice = middle_slice(now, mesh, first, extents);
    if (example::rank() == 0) draw(path, slice, mesh);
    example::say("picture %s\n", path.c_str());
  }
  return drift <= allowed_drift;
}

}  // namespace wave
