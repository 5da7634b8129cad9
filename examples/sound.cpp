// SPDX-License-Identifier: BSD-3-Clause
// Sound in a room on a staggered grid (Yee 1966): pressure in the cells, velocities on their faces, in turns.
// Dimension 0 has walls, dimension 1 wraps around. The start is a standing wave, whose exact answer on the
// grid is known.
//
//   mpirun -n 8 sound --mesh 400x300 --steps 500

#include "checksum.hpp"
#include "program.hpp"

#include <cmath>
#include <numbers>

namespace hc = halocline;

namespace {

constexpr double courant = 0.5;  // the speed of sound times the time step, over the width of a cell

/// A standing wave on a mesh: three half waves from wall to wall, two whole ones around.
class StandingWave {
 public:
  explicit StandingWave(const hc::Mesh& mesh)
      : kx_(3 * std::numbers::pi / static_cast<double>(mesh.extents()[0])),
        ky_(4 * std::numbers::pi / static_cast<double>(mesh.extents()[1])),
        frequency_(2 * std::asin(courant * std::hypot(std::sin(kx_ / 2), std::sin(ky_ / 2)))) {}

  [[nodiscard]] double pressure(const hc::Cell& cell, hc::Count step) const {
    return std::cos(kx_ * center(cell[0])) * std::cos(ky_ * center(cell[1])) *
           std::cos(frequency_ * static_cast<double>(step));
  }
  /// Half a step before the start: across dimension 0, and across dimension 1.
  [[nodiscard]] double across_0(const hc::Cell& face) const {
    return -courant * std::sin(kx_ / 2) * std::sin(kx_ * static_cast<double>(face[0])) *
           std::cos(ky_ * center(face[1]));
  }
  [[nodiscard]] double across_1(const hc::Cell& face) const {
    return -courant * std::sin(ky_ / 2) * std::cos(kx_ * center(face[0])) *
           std::sin(ky_ * static_cast<double>(face[1]));
  }

 private:
  static double center(hc::Count cell) { return static_cast<double>(cell) + 0.5; }
  double kx_, ky_, frequency_;
};

/// Each process moves the faces that it owns, but for walls.
void push(const hc::Field<double, 2>& pressure, hc::Field<double, 2>& across_0,
          hc::Field<double, 2>& across_1, hc::Count last_wall) {
  const auto p = pressure.view();
  const auto u = across_0.view();
  const auto v = across_1.view();
  for (hc::Count i = 0; i < across_0.owned().extents[0]; ++i) {
    const hc::Count face = across_0.first(0) + i;
    if (face == 0 || face == last_wall) continue;
    for (hc::Count j = 0; j < u.extent(1); ++j) u(i, j) -= courant * (p(i, j) - p(i - 1, j));
  }
  for (hc::Count i = 0; i < v.extent(0); ++i)
    for (hc::Count j = 0; j < across_1.owned().extents[1]; ++j) v(i, j) -= courant * (p(i, j) - p(i, j - 1));
}

/// What flows in through all faces of a cell, whoever owns them.
void squeeze(hc::Field<double, 2>& pressure, const hc::Field<double, 2>& across_0,
             const hc::Field<double, 2>& across_1) {
  const auto p = pressure.view();
  const auto u = across_0.view();
  const auto v = across_1.view();
  for (hc::Count i = 0; i < p.extent(0); ++i)
    for (hc::Count j = 0; j < p.extent(1); ++j)
      p(i, j) -= courant * ((u(i + 1, j) - u(i, j)) + (v(i, j + 1) - v(i, j)));
}

bool run(const example::Arguments& arguments) {
  const hc::Mesh mesh(arguments.extents("--mesh", 2), hc::periodic(0, 1));
  const hc::Count steps = arguments.number("--steps", 0);
  const StandingWave wave(mesh);

  const hc::Cart cart(MPI_COMM_WORLD, mesh, hc::Stencil::nearest(2));
  // The cell before the first one is all that faces need; cells need no faces but their own.
  hc::Field<double, 2> p(cart, {.halo = hc::HaloWidths({1, 1}, {0, 0})});
  hc::Field<double, 2> u(cart, {.halo = hc::HaloWidths({0, 0}), .staggered = {0}});
  hc::Field<double, 2> v(cart, {.halo = hc::HaloWidths({0, 0}), .staggered = {1}});
  hc::Halo cells(cart, p), faces(cart, u, v);

  using example::Checksum;
  Checksum::for_each_point(
      p.box(), [&](const hc::Cell& at, const hc::Cell& cell) { p(at[0], at[1]) = wave.pressure(cell, 0); });
  Checksum::for_each_point(u.owned(), [&](const hc::Cell& at, const hc::Cell& face) {
    const bool wall = face[0] == 0 || face[0] == mesh.extents()[0];
    u(at[0], at[1]) = wall ? 0 : wave.across_0(face);
  });
  Checksum::for_each_point(
      v.owned(), [&](const hc::Cell& at, const hc::Cell& face) { v(at[0], at[1]) = wave.across_1(face); });
  for (hc::Count n = 0; n < steps; ++n) {
    cells.exchange();
    push(p, u, v, mesh.extents()[0]);
    faces.exchange();
    squeeze(p, u, v);
  }

  double error = 0;
  Checksum::for_each_point(p.box(), [&](const hc::Cell& at, const hc::Cell& cell) {
    error = std::max(error, std::abs(p(at[0], at[1]) - wave.pressure(cell, steps)));
  });
  error = example::combined(error, MPI_MAX);
  Checksum checksum;
  checksum.add(mesh, p);
  const double allowed = 1e-15 * static_cast<double>(steps + 10);  // rounding, a few bits a step
  example::say("mesh %s, grid %s, %lld steps\n", mesh.to_text().c_str(), cart.grid().to_text().c_str(),
               static_cast<long long>(steps));
  example::say("largest error %.2e, allowed %.2e\n", error, allowed);
  example::say("checksum %s\n", checksum.total().c_str());
  return error <= allowed;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run_program(
      {"sound",
       "Sound between two walls on a staggered grid, checked against its exact solution.",
       {{"--mesh", "400x300", "cells of the mesh"}, {"--steps", "500", "time steps"}}},
      argc, argv, run);
}
