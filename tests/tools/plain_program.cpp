// A program that never heard of Halocline makes a plain Cartesian communicator: what does it send between
// nodes? plain_program GRID prints the sum over all nodes and the most of one, for the nearest neighbours, to
// each of which it sends a number.
#include "halocline/mpi/cart.hpp"
#include "mpi/handles/comm.hpp"

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc == 2) {
    const halocline::Grid grid = halocline::Grid::parse(argv[1]);
    const halocline::Stencil stencil = halocline::Stencil::nearest(grid.dimensions());
    const halocline::Cart cart(MPI_COMM_WORLD, grid, stencil, {.reorder = false});
    std::vector<double> out(2 * grid.dimensions()), in(out.size());
    MPI_Neighbor_alltoall(out.data(), 1, MPI_DOUBLE, in.data(), 1, MPI_DOUBLE, cart.comm());
    const halocline::InternodeCost cost = halocline::internode_cost(cart.comm(), stencil);
    if (halocline::mpi::rank(cart.comm()) == 0)
      std::printf("%lld %lld\n", static_cast<long long>(cost.total), static_cast<long long>(cost.largest));
  }
  MPI_Finalize();
  return argc == 2 ? 0 : 2;
}
