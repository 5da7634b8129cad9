// SPDX-License-Identifier: BSD-3-Clause
// The heat equation in three dimensions: every step a point takes some of the difference to its six
// neighbours. The start is an eigenvector of that step, so that the exact answer after any number of steps is
// known.
//
//   mpirun -n 8 heat --mesh 96x96x96 --steps 200

#include "checksum.hpp"
#include "program.hpp"

#include <cmath>
#include <numbers>

namespace hc = halocline;

namespace {

constexpr double conductivity = 0.1;  // times the time step, over the mesh width squared; stable below 1/6

/// Half a sine from border to border: zero one point beyond the first and the last.
double half_sine(hc::Count i, hc::Count points) {
  return std::sin(std::numbers::pi * static_cast<double>(i + 1) / static_cast<double>(points + 1));
}
/// The same after wrapping around: a whole sine.
double whole_sine(hc::Count i, hc::Count points) {
  return std::sin(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(points));
}

/// Dimensions 0 and 1 are open, their borders are cold; dimension 2 wraps around.
double start(const hc::Mesh& mesh, const hc::Cell& point) {
  const hc::Counts& n = mesh.extents();
  return half_sine(point[0], n[0]) * half_sine(point[1], n[1]) * (2 + whole_sine(point[2], n[2]));
}

/// What is left of the start: its constant and its wavy part along dimension 2 decay each on its own.
double exact(const hc::Mesh& mesh, const hc::Cell& point, hc::Count steps) {
  const hc::Counts& n = mesh.extents();
  const auto damping = [](double wave_number) {
    return 4 * conductivity * std::pow(std::sin(wave_number / 2), 2);
  };
  const double open = damping(std::numbers::pi / static_cast<double>(n[0] + 1)) +
                      damping(std::numbers::pi / static_cast<double>(n[1] + 1));
  const double round = damping(2 * std::numbers::pi / static_cast<double>(n[2]));
  const auto left = [&](double lost) { return std::pow(1 - lost, static_cast<double>(steps)); };
  return half_sine(point[0], n[0]) * half_sine(point[1], n[1]) *
         (2 * left(open) + whole_sine(point[2], n[2]) * left(open + round));
}

void step(const hc::Field<double, 3>& now, hc::Field<double, 3>& next) {
  const auto u = now.view();
  const auto v = next.view();
  for (hc::Count i = 0; i < u.extent(0); ++i)
    for (hc::Count j = 0; j < u.extent(1); ++j)
      for (hc::Count k = 0; k < u.extent(2); ++k)
        v(i, j, k) = u(i, j, k) +
                     conductivity * (((u(i - 1, j, k) + u(i + 1, j, k)) + (u(i, j - 1, k) + u(i, j + 1, k))) +
                                     ((u(i, j, k - 1) + u(i, j, k + 1)) - 6 * u(i, j, k)));
}

bool run(const example::Arguments& arguments) {
  const hc::Mesh mesh(arguments.extents("--mesh", 3), hc::periodic(0, 0, 1));
  const hc::Count steps = arguments.number("--steps", 0);

  // These lines are all that Halocline needs: who owns what, the fields, their halos.
  const hc::Cart cart(MPI_COMM_WORLD, mesh, hc::Stencil::nearest(3));
  hc::Field<double, 3> now(cart), next(cart);
  hc::Halo halo(cart, hc::rotating(now, next));

  example::Checksum::for_each_point(now.box(), [&](const hc::Cell& at, const hc::Cell& point) {
    now(at[0], at[1], at[2]) = start(mesh, point);
  });
  const double began = MPI_Wtime();
  for (hc::Count n = 0; n < steps; ++n) {
    halo.exchange();
    step(now, next);
    std::swap(now, next);  // the halo follows
  }
  const double seconds = example::combined(MPI_Wtime() - began, MPI_MAX);

  double error = 0;
  example::Checksum::for_each_point(now.box(), [&](const hc::Cell& at, const hc::Cell& point) {
    error = std::max(error, std::abs(now(at[0], at[1], at[2]) - exact(mesh, point, steps)));
  });
  error = example::combined(error, MPI_MAX);
  example::Checksum checksum;
  checksum.add(mesh, now);

  const double allowed = 1e-15 * static_cast<double>(steps + 10);  // rounding, a few bits a step
  example::say("mesh %s, grid %s, %lld steps in %.3f s\n", mesh.to_text().c_str(),
               cart.grid().to_text().c_str(), static_cast<long long>(steps), seconds);
  example::say("largest error %.2e, allowed %.2e\n", error, allowed);
  example::say("checksum %s\n", checksum.total().c_str());
  return error <= allowed;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run_program(
      {"heat",
       "The heat equation in three dimensions, checked against its exact solution.",
       {{"--mesh", "96x96x96", "points of the mesh"}, {"--steps", "200", "time steps"}}},
      argc, argv, run);
}
