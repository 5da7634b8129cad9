// What it costs to create communicators, neighbourhoods and halos, beside MPI_Cart_create of the same MPI.
//   mpirun -n 64 halocline_bench cart [repetitions]
// Interleaved in one run, in an order that is rotated, barrier before and maximum over ranks of each; medians
// of the times and of the ratios to MPI_Cart_create of the same round. "first" is on a communicator that the
// library has not seen.

#include "../number_argument.hpp"
#include "benchmarks.hpp"
#include "halocline/halo.h"
#include "halocline/halocline.h"
#include "slowest_rank.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

using halocline::bench::median;
using halocline::bench::slowest_seconds;

struct Grid {
  std::array<int, 3> dims{};
  std::array<int, 3> periods{1, 1, 1};
};

constexpr std::array<std::int64_t, 3> mesh{256, 256, 256};

MPI_Comm plain_cart(MPI_Comm comm, const Grid& grid) {
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(comm, 3, grid.dims.data(), grid.periods.data(), 1, &cart);
  return cart;
}

MPI_Comm placed_cart(MPI_Comm comm, const Grid& grid, int reorder) {
  MPI_Comm cart = MPI_COMM_NULL;
  HCL_Cart_create(comm, 3, grid.dims.data(), grid.periods.data(), reorder, 0, HCL_STENCIL_NEAREST, nullptr,
                  MPI_INFO_NULL, &cart);
  return cart;
}

MPI_Comm mesh_cart(MPI_Comm comm, const Grid& grid) {
  std::array<int, 3> dims{};
  MPI_Comm cart = MPI_COMM_NULL;
  HCL_Cart_mesh_create(comm, 3, mesh.data(), nullptr, grid.periods.data(), 1, 0, HCL_STENCIL_NEAREST, nullptr,
                       MPI_INFO_NULL, dims.data(), &cart);
  return cart;
}

MPI_Comm graph(MPI_Comm cart) {
  std::array<int, 6> neighbours{};
  for (std::size_t d = 0; d < 3; ++d)
    MPI_Cart_shift(cart, static_cast<int>(d), 1, &neighbours[2 * d], &neighbours[2 * d + 1]);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(cart, 6, neighbours.data(), MPI_UNWEIGHTED, 6, neighbours.data(),
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  return made;
}

MPI_Comm neighbourhood(MPI_Comm cart) {
  constexpr std::array<int, 18> offsets{-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1};
  MPI_Comm made = MPI_COMM_NULL;
  HCL_Neighborhood_create(cart, 6, offsets.data(), &made);
  return made;
}

void create_halo(MPI_Comm cart, HCL_Field field) {
  HCL_Halo halo = HCL_HALO_NULL;
  HCL_Halo_create(cart, 1, &field, 0, HCL_DIRECTIONS_DEFAULT, MPI_INFO_NULL, &halo);
  HCL_Halo_free(&halo);
}

void done_with(MPI_Comm comm) {
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

struct Way {
  std::string name;
  std::function<void()> create;
  std::vector<double> seconds = {};
};

/// What is made of a communicator and freed again.
struct Subjects {
  MPI_Comm fresh = MPI_COMM_NULL, known = MPI_COMM_NULL, meshed = MPI_COMM_NULL, reversed = MPI_COMM_NULL,
           cart = MPI_COMM_NULL;
  HCL_Field field = HCL_FIELD_NULL;
};

std::vector<Way> ways(const Grid& grid, const Subjects& on) {
  return {{"MPI_Cart_create", [&] { done_with(plain_cart(on.known, grid)); }},
          {"HCL_Cart_create, first", [&] { done_with(placed_cart(on.fresh, grid, 1)); }},
          {"HCL_Cart_create", [&] { done_with(placed_cart(on.known, grid, 1)); }},
          {"HCL_Cart_create, ranks move", [&] { done_with(placed_cart(on.reversed, grid, 1)); }},
          {"HCL_Cart_create, no reorder", [&] { done_with(placed_cart(on.known, grid, 0)); }},
          {"HCL_Cart_mesh_create, new mesh", [&] { done_with(mesh_cart(on.fresh, grid)); }},
          {"HCL_Cart_mesh_create", [&] { done_with(mesh_cart(on.meshed, grid)); }},
          {"MPI_Dist_graph_create_adjacent", [&] { done_with(graph(on.cart)); }},
          {"HCL_Neighborhood_create", [&] { done_with(neighbourhood(on.cart)); }},
          {"HCL_Halo_create", [&] { create_halo(on.cart, on.field); }}};
}

void show(const std::vector<Way>& all, int ranks, int repetitions) {
  std::printf("%d ranks, %d repetitions, medians\n", ranks, repetitions);
  for (const Way& way : all) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < way.seconds.size(); ++i)
      ratios.push_back(way.seconds[i] / all.front().seconds[i]);
    std::printf("%-32s %10.3f ms  ratio %6.2f\n", way.name.c_str(), median(way.seconds) * 1e3,
                median(ratios));
  }
}

}  // namespace

int halocline::bench::cart(int argc, char** argv) {
  const int repetitions = number_argument(argc, argv, 1, 30, 1);
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Grid grid;
  MPI_Dims_create(ranks, 3, grid.dims.data());

  Subjects on;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &on.known);
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &on.meshed);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &on.reversed);
  on.cart = mesh_cart(on.meshed, grid);
  HCL_Field_create(on.cart, MPI_DOUBLE, nullptr, nullptr, MPI_ORDER_C, MPI_INFO_NULL, &on.field);
  std::vector<Way> all = ways(grid, on);
  for (const Way& way : all)  // what is found out once
    if (way.name.find("first") == std::string::npos && way.name.find("new") == std::string::npos)
      way.create();
  for (std::size_t i = 0; i < static_cast<std::size_t>(repetitions); ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &on.fresh);  // a duplicate would inherit what was discovered
    const bool backwards = i % 2 != 0;                   // but a mesh comes to a communicator that is known
    const std::size_t first = 1, mesh_first = 5;
    const std::size_t begin = i % all.size();
    all[first].seconds.push_back(slowest_seconds(all[first].create));
    for (std::size_t n = 0; n < all.size(); ++n) {
      const std::size_t next = (begin + (backwards ? all.size() - n : n)) % all.size();
      if (next != first && next != mesh_first) all[next].seconds.push_back(slowest_seconds(all[next].create));
    }
    all[mesh_first].seconds.push_back(slowest_seconds(all[mesh_first].create));
    MPI_Comm_free(&on.fresh);
  }
  if (rank == 0) show(all, ranks, repetitions);
  HCL_Field_free(&on.field);
  MPI_Comm_free(&on.cart);
  MPI_Comm_free(&on.reversed);
  MPI_Comm_free(&on.meshed);
  MPI_Comm_free(&on.known);
  MPI_Finalize();
  return 0;
}
