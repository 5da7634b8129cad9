// MPI_Cart_create of a program that was never recompiled places processes as the plan says, on the machine,
// the network and for the stencil that the environment names; where nothing is gained between nodes they stay
// where they are. To be run with the preload library. More cases:
//   HALOCLINE_SECONDS=600 mpirun -x LD_PRELOAD=build/release/bin/libhalocline-preload.so -n 8
//   build/release/bin/planned_preload_test

#include "halo/random_plans.hpp"

namespace halocline::preload_planned_tests {
namespace {

/// What crosses between nodes with these processes on the cells, as ranks of the node-sorted order.
Count crossing(const Grid& grid, const Stencil& stencil, const Machine& machine, const Counts& rank_of_cell) {
  const auto node_of = [&](Count cell) {
    return machine.node_of(rank_of_cell[static_cast<std::size_t>(cell)]);
  };
  Count sum = 0;
  for (Count cell = 0; cell < grid.size(); ++cell)
    for (std::size_t i = 0; i < stencil.size(); ++i) {
      const Count peer = grid.index_at(grid.cell(cell), stencil.offsets()[i]);
      if (peer != Lattice::nowhere && node_of(cell) != node_of(peer)) sum += stencil.weights()[i];
    }
  return sum;
}

/// The process, by its rank in the world, of every cell.
Counts expected_processes(const PlannedCase& planned, const Grid& grid, const Stencil& stencil,
                          const Counts& in_order) {
  const Machine& machine = planned.problem().machine;
  const Counts unchanged(in_order.begin(), in_order.begin() + grid.size());
  const auto plan = expected_placement(planned, grid, stencil);
  if (machine.nodes() == 1 || !plan) return unchanged;
  Counts placed;
  for (Count cell = 0; cell < grid.size(); ++cell) placed.push_back(plan->placement.rank(grid.cell(cell)));
  return crossing(grid, stencil, machine, placed) < crossing(grid, stencil, machine, unchanged) ? placed
                                                                                                : unchanged;
}

/// The cell of this process, or -1.
Count cell_of(MPI_Comm comm, const Grid& grid) {
  const std::vector<int> dims(grid.extents().begin(), grid.extents().end()),
      periods(grid.periodicity().begin(), grid.periodicity().end());
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(comm, static_cast<int>(dims.size()), dims.data(), periods.data(), 1, &cart);
  if (cart == MPI_COMM_NULL) return -1;
  int rank = 0;
  std::vector<int> coordinates(dims.size());
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, static_cast<int>(dims.size()), coordinates.data());
  MPI_Comm_free(&cart);
  return grid.index(Cell(coordinates.begin(), coordinates.end()));
}

/// Were the processes moved?
bool compare(std::uint64_t seed) {
  plan::RandomProblems problems(seed, world_size());
  const PlannedCase planned = planned_case(problems.any());
  const Grid grid = RandomGrids::grid_within(world_size(), problems.random());
  const Stencil stencil = RandomGrids::offsets(grid.dimensions(), problems.random());
  SCOPED_TRACE(grid.to_text() + " by " + stencil.to_text() + "; " + planned.given.to_text());
  const PlannedEnvironment environment(planned);
  const Variable talks("HALOCLINE_STENCIL", stencil.to_text());
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  const Counts in_order = everyones(world.get(), world_rank());
  const Counts expected = expected_processes(planned, grid, stencil, in_order);
  const auto mine = std::find(expected.begin(), expected.end(), world_rank());
  EXPECT_EQ(cell_of(world.get(), grid), mine == expected.end() ? -1 : mine - expected.begin());
  return !std::equal(expected.begin(), expected.end(), in_order.begin());
}

TEST(PlannedByPreload, grids_are_placed_as_the_plan_says) {
  Trials trials("planned grids by preload", 590463222, 30);
  std::uint64_t moved = 0;
  while (trials.next()) {
    SCOPED_TRACE(testing::Message() << trials);
    if (compare(trials.seed())) ++moved;
  }
  if (world_rank() == 0) std::cout << "  " << moved << " moved" << std::endl;
  if (world_size() > 4 && trials.done() >= 10) {
    EXPECT_GT(moved, 0U) << "nothing was to be gained anywhere";
  }
}

}  // namespace
}  // namespace halocline::preload_planned_tests
