// SPDX-License-Identifier: BSD-3-Clause
// A viscous flow by the lattice Boltzmann method: 19 populations at each point (D3Q19), each moving along its
// own velocity. Each is a field whose halo lies only where it comes from, so that of 19 values at a point
// five cross a face and one crosses an edge. The flow is that of Arnold, Beltrami and Childress, an exact
// solution of the Navier-Stokes equations that keeps its form and decays.
//
//   mpirun -n 8 lattice_boltzmann --edge 48 --steps 200

#include "checksum.hpp"
#include "program.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace hc = halocline;

namespace {

constexpr std::size_t populations = 19;
constexpr double relaxation = 0.8;  // steps
constexpr double viscosity = (relaxation - 0.5) / 3;
constexpr double speed = 0.005;  // of the flow; sound has 0.577

using Velocity = std::array<int, 3>;
constexpr std::array<Velocity, populations> velocities{{{0, 0, 0},
                                                        {1, 0, 0},
                                                        {-1, 0, 0},
                                                        {0, 1, 0},
                                                        {0, -1, 0},
                                                        {0, 0, 1},
                                                        {0, 0, -1},
                                                        {1, 1, 0},
                                                        {-1, -1, 0},
                                                        {1, -1, 0},
                                                        {-1, 1, 0},
                                                        {1, 0, 1},
                                                        {-1, 0, -1},
                                                        {1, 0, -1},
                                                        {-1, 0, 1},
                                                        {0, 1, 1},
                                                        {0, -1, -1},
                                                        {0, 1, -1},
                                                        {0, -1, 1}}};

constexpr double weight(const Velocity& c) {
  const int moves = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  return moves == 0 ? 1.0 / 3 : moves == 1 ? 1.0 / 18 : 1.0 / 36;
}

struct Flow {
  double density;
  std::array<double, 3> velocity;
};

constexpr double equilibrium(std::size_t i, const Flow& flow) {
  const auto& u = flow.velocity;
  const Velocity& c = velocities[i];
  const double along = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  return weight(c) * flow.density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
}

constexpr Flow flow_of(const std::array<double, populations>& f) {
  Flow flow{0, {0, 0, 0}};
  for (std::size_t i = 0; i < populations; ++i) {
    flow.density += f[i];
    for (std::size_t d = 0; d < 3; ++d) flow.velocity[d] += velocities[i][d] * f[i];
  }
  for (double& u : flow.velocity) u /= flow.density;
  return flow;
}

/// The flow in a cube of `edge` points, after `steps` steps.
Flow exact(const hc::Cell& point, hc::Count edge, hc::Count steps) {
  const double k = 2 * std::numbers::pi / static_cast<double>(edge);
  const double amplitude = speed * std::exp(-viscosity * k * k * static_cast<double>(steps));
  std::array<double, 3> sine{}, cosine{};
  for (std::size_t d = 0; d < 3; ++d) {
    sine[d] = std::sin(k * static_cast<double>(point[d]));
    cosine[d] = std::cos(k * static_cast<double>(point[d]));
  }
  Flow flow{1, {}};
  double square = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    flow.velocity[d] = amplitude * (sine[(d + 2) % 3] + cosine[(d + 1) % 3]);
    square += flow.velocity[d] * flow.velocity[d];
  }
  flow.density += 1.5 * (3 * amplitude * amplitude - square);  // the pressure, by Bernoulli
  return flow;
}

/// All populations of this process and their halo.
struct Fluid {
  explicit Fluid(const hc::Cart& cart) : fields(all(cart)), halo(cart, views(fields), {came_from(), {}}) {}

  /// Values are fetched from where they come from: below for what moves up.
  static std::vector<hc::Field<double, 3>> all(const hc::Cart& cart) {
    std::vector<hc::Field<double, 3>> fields;
    for (const Velocity& c : velocities) {
      hc::HaloWidths widths(hc::Counts(3, 0));
      for (std::size_t d = 0; d < 3; ++d) {
        widths.low[d] = c[d] > 0 ? 1 : 0;
        widths.high[d] = c[d] < 0 ? 1 : 0;
      }
      fields.emplace_back(cart, hc::FieldOptions{.halo = widths});
    }
    return fields;
  }
  static std::vector<hc::FieldView> views(const std::vector<hc::Field<double, 3>>& fields) {
    return {fields.begin(), fields.end()};
  }
  /// Faces and edges; nothing moves across corners.
  static hc::Stencil came_from() {
    std::vector<hc::Offset> directions;
    for (std::size_t i = 1; i < populations; ++i)
      directions.push_back({velocities[i][0], velocities[i][1], velocities[i][2]});
    return hc::Stencil(directions);
  }

  std::vector<hc::Field<double, 3>> fields;
  hc::Halo halo;
};

/// Every point fetches what moves to it, and lets it collide. @pre the halo of `now` is filled
void step(const Fluid& now, Fluid& next) {
  const auto& extents = now.fields.front().box().extents;
  for (hc::Count x = 0; x < extents[0]; ++x)
    for (hc::Count y = 0; y < extents[1]; ++y) {
      std::array<const double*, populations> from{};
      std::array<double*, populations> to{};
      for (std::size_t i = 0; i < populations; ++i) {
        const Velocity& c = velocities[i];
        from[i] = &now.fields[i](x - c[0], y - c[1], -c[2]);
        to[i] = &next.fields[i](x, y, 0);
      }
      for (hc::Count z = 0; z < extents[2]; ++z) {
        std::array<double, populations> f{};
        for (std::size_t i = 0; i < populations; ++i) f[i] = from[i][z];
        const Flow flow = flow_of(f);
        for (std::size_t i = 0; i < populations; ++i)
          to[i][z] = f[i] + (equilibrium(i, flow) - f[i]) / relaxation;
      }
    }
}

std::array<double, populations> at(const Fluid& fluid, const hc::Cell& point) {
  std::array<double, populations> f{};
  for (std::size_t i = 0; i < populations; ++i) f[i] = fluid.fields[i](point[0], point[1], point[2]);
  return f;
}

void set_up(Fluid& fluid, hc::Count edge) {
  example::Checksum::for_each_point(fluid.fields.front().box(),
                                    [&](const hc::Cell& local, const hc::Cell& point) {
                                      const Flow flow = exact(point, edge, 0);
                                      for (std::size_t i = 0; i < populations; ++i)
                                        fluid.fields[i](local[0], local[1], local[2]) = equilibrium(i, flow);
                                    });
}

struct Sums {
  double mass = 0, error = 0, velocity = 0;
};

/// Over all processes: the mass, and how far the flow is from what it should be, as root mean squares.
Sums compared(const Fluid& fluid, hc::Count edge, hc::Count steps) {
  Sums sums;
  example::Checksum::for_each_point(fluid.fields.front().box(),
                                    [&](const hc::Cell& local, const hc::Cell& point) {
                                      const Flow found = flow_of(at(fluid, local));
                                      const Flow wanted = exact(point, edge, steps);
                                      sums.mass += found.density;
                                      for (std::size_t d = 0; d < 3; ++d) {
                                        const double u = wanted.velocity[d], off = found.velocity[d] - u;
                                        sums.error += off * off;
                                        sums.velocity += u * u;
                                      }
                                    });
  return {example::combined(sums.mass, MPI_SUM), std::sqrt(example::combined(sums.error, MPI_SUM)),
          std::sqrt(example::combined(sums.velocity, MPI_SUM))};
}

bool run(const example::Arguments& arguments) {
  const hc::Count edge = arguments.number("--edge", 8), steps = arguments.number("--steps", 0);
  const hc::Mesh mesh({edge, edge, edge}, hc::periodic(1, 1, 1));
  const hc::Cart cart(MPI_COMM_WORLD, mesh, hc::Stencil::moore(3, 1));
  Fluid now(cart), next(cart);
  set_up(now, edge);
  const Sums start = compared(now, edge, 0);

  const double began = MPI_Wtime();
  for (hc::Count n = 0; n < steps; ++n) {
    now.halo.exchange();
    step(now, next);
    std::swap(now, next);  // fields and their halo
  }
  const double seconds = example::combined(MPI_Wtime() - began, MPI_MAX);

  const Sums sums = compared(now, edge, steps);
  const double lost = std::abs(sums.mass - start.mass) / start.mass, error = sums.error / start.velocity;
  example::Checksum checksum;
  for (std::size_t i = 0; i < populations; ++i) {
    const auto offset = static_cast<hc::Count>(i) * mesh.size();
    example::Checksum::for_each_point(now.fields[i].box(), [&](const hc::Cell& local, const hc::Cell& point) {
      checksum.add(offset + mesh.index(point), now.fields[i](local[0], local[1], local[2]));
    });
  }

  const double allowed_lost = 1e-15 * static_cast<double>(steps + 100);  // rounding
  const double allowed_error = 4.0 / static_cast<double>(edge * edge);   // the method is of second order
  example::say("mesh %s, grid %s, %lld steps in %.3f s\n", mesh.to_text().c_str(),
               cart.grid().to_text().c_str(), static_cast<long long>(steps), seconds);
  example::say("mass changed by %.1e, allowed %.1e; velocity off by %.2e of the first, allowed %.2e\n", lost,
               allowed_lost, error, allowed_error);
  example::say("checksum %s\n", checksum.total().c_str());
  return lost <= allowed_lost && error <= allowed_error;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run_program(
      {"lattice_boltzmann",
       "A decaying flow in a periodic cube by the lattice Boltzmann method, checked against its exact form.",
       {{"--edge", "48", "points along each edge of the cube"}, {"--steps", "200", "time steps"}}},
      argc, argv, run);
}
