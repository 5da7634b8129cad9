// SPDX-License-Identifier: BSD-3-Clause
// Conway's Game of Life on a torus, a byte a cell. Edges and corners of the halo matter here. The start is a
// fleet of gliders, each of which moves by one cell along both dimensions in four generations, so that the
// exact answer is known.
//
//   mpirun -n 8 life --mesh 512x512 --steps 400

#include "checksum.hpp"
#include "program.hpp"

#include <array>

namespace hc = halocline;

namespace {

constexpr hc::Count tile = 8;  // gliders this far apart, all on the same course, never meet

/// Is there a glider in the tile? About every second one has one.
bool manned(hc::Count row, hc::Count column) {
  auto x = static_cast<std::uint64_t>(row) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(column);
  x = (x ^ (x >> 29u)) * 0xbf58476d1ce4e5b9u;
  return (x >> 40u) % 2 == 0;
}

/// The fleet after it has moved by `moved` cells along both dimensions.
std::uint8_t fleet(const hc::Mesh& mesh, const hc::Cell& point, hc::Count moved) {
  constexpr std::array<std::array<std::uint8_t, 3>, 3> glider{{{0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
  const hc::Cell origin = *mesh.neighbor(point, hc::Offset{-moved, -moved});
  const hc::Count row = origin[0] / tile, column = origin[1] / tile;
  const hc::Count i = origin[0] % tile, j = origin[1] % tile;
  const bool whole = (row + 1) * tile <= mesh.extents()[0] && (column + 1) * tile <= mesh.extents()[1];
  if (!whole || !manned(row, column) || i >= 3 || j >= 3) return 0;
  return glider[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
}

void generation(const hc::Field<std::uint8_t, 2>& now, hc::Field<std::uint8_t, 2>& next) {
  const auto old = now.view();
  const auto born = next.view();
  for (hc::Count i = 0; i < old.extent(0); ++i)
    for (hc::Count j = 0; j < old.extent(1); ++j) {
      const int neighbours = old(i - 1, j - 1) + old(i - 1, j) + old(i - 1, j + 1) + old(i, j - 1) +
                             old(i, j + 1) + old(i + 1, j - 1) + old(i + 1, j) + old(i + 1, j + 1);
      born(i, j) =
          static_cast<std::uint8_t>((neighbours | old(i, j)) == 3);  // three, or two around a live one
    }
}

bool run(const example::Arguments& arguments) {
  const hc::Mesh mesh(arguments.extents("--mesh", 2), hc::periodic(1, 1));
  const hc::Count steps = arguments.number("--steps", 0);
  if (steps % 4 != 0)
    throw example::WrongUse("--steps is " + std::to_string(steps) +
                            "; gliders look the same again after a multiple of 4");

  const hc::Cart cart(MPI_COMM_WORLD, mesh, hc::Stencil::moore(2, 1));
  hc::Field<std::uint8_t, 2> now(cart), next(cart);
  hc::Halo halo(cart, hc::rotating(now, next));

  example::Checksum::for_each_point(now.box(), [&](const hc::Cell& at, const hc::Cell& point) {
    now(at[0], at[1]) = fleet(mesh, point, 0);
  });
  const double began = MPI_Wtime();
  for (hc::Count n = 0; n < steps; ++n) {
    halo.exchange();
    generation(now, next);
    std::swap(now, next);  // the halo follows
  }
  const double seconds = example::combined(MPI_Wtime() - began, MPI_MAX);

  double alive = 0, wrong = 0;
  example::Checksum::for_each_point(now.box(), [&](const hc::Cell& at, const hc::Cell& point) {
    const std::uint8_t cell = now(at[0], at[1]);
    alive += cell;
    if (cell != fleet(mesh, point, steps / 4)) ++wrong;
  });
  alive = example::combined(alive, MPI_SUM);
  wrong = example::combined(wrong, MPI_SUM);
  example::Checksum checksum;
  checksum.add(mesh, now);

  example::say("mesh %s, grid %s, %lld generations in %.3f s\n", mesh.to_text().c_str(),
               cart.grid().to_text().c_str(), static_cast<long long>(steps), seconds);
  example::say("%.0f cells alive, %.0f wrong\n", alive, wrong);
  example::say("checksum %s\n", checksum.total().c_str());
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  return example::run_program(
      {"life",
       "The Game of Life on a torus, checked: every glider is where it should be.",
       {{"--mesh", "512x512", "cells of the torus"}, {"--steps", "400", "generations, a multiple of 4"}}},
      argc, argv, run);
}
