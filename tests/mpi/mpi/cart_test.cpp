// Placed communicators: every algorithm, machines of all kinds, ranks in any order.
#include "halocline/mpi/cart.hpp"

#include "base/fail.hpp"
#include "expect_error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/communicators/placed_cart.hpp"
#include "place/algorithms.hpp"
#include "place/best.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/grid_choice.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>

namespace halocline::mpi_cart_tests {
namespace {

std::vector<Machine> machines() {
  std::vector<Machine> all{Machine::of_nodes(Runs::of(1, world_size()))};
  if (world_size() % 4 == 0) {
    all.push_back(Machine::of_levels({world_size() / 4, 4}));
    all.push_back(Machine::of_levels({2, 2, world_size() / 4}));
  }
  if (world_size() >= 4) all.push_back(Machine::of_nodes(Runs({world_size() - 3, 1, 2})));
  return all;
}

std::vector<Grid> grids() {
  std::vector<Grid> all{Grid({world_size()})};
  for (Count rows = 2; rows < world_size(); ++rows)
    if (world_size() % rows == 0) {
      all.push_back(Grid({rows, world_size() / rows}));
      all.push_back(Grid({rows, world_size() / rows}, periodic(1, 0)));
    }
  if (world_size() % 4 == 0) all.push_back(Grid({2, world_size() / 4, 2}, periodic(0, 1, 1)));
  // Communicators are dear on an oversubscribed machine: the first, the middle and the last stand for all.
  if (all.size() > 3) all = {all.front(), all[all.size() / 2], all.back()};
  return all;
}

Cell mpi_coordinates(const Cart& cart) {
  std::vector<int> coordinates(cart.grid().dimensions());
  MPI_Cart_coords(cart.comm(), mpi::rank(cart.comm()), static_cast<int>(coordinates.size()),
                  coordinates.data());
  return {coordinates.begin(), coordinates.end()};
}

void expect_exact_nodes(const Cart& cart, const Machine& machine) {
  std::map<Count, Count> cells;
  for (const Count node : everyones(cart.comm(), machine.node_of(world_rank()))) ++cells[node];
  for (const auto& [node, count] : cells) EXPECT_EQ(count, machine.node_sizes()[node]);
}

TEST(Cart, every_algorithm_places_every_grid_on_every_machine) {
  unsigned seed = 0;
  for (const Machine& machine : machines()) {
    const DescribedMachine described(machine.to_text());
    const mpi::Comm world = shuffled_world(++seed);
    for (const Grid& grid : grids())
      for (const place::Algorithm& algorithm : place::algorithms()) {
        SCOPED_TRACE(concat(algorithm.name, " ", grid.to_text(), " on ", machine.to_text()));
        const Stencil stencil = Stencil::nearest(grid.dimensions());
        const Cart cart(world.get(), grid, stencil, {.algorithm = plan::algorithm_named(algorithm.name)});
        ASSERT_TRUE(cart.takes_part());
        EXPECT_EQ(cart.algorithm(), algorithm.name);
        EXPECT_EQ(mpi_coordinates(cart), cart.cell());
        EXPECT_EQ(cart.cell(), cart.placement()->cell(world_rank()));
        expect_exact_nodes(cart, machine);
        const place::Cost cost = place::cost(place::Problem(grid, stencil, machine), *cart.placement());
        EXPECT_EQ(internode_cost(cart.comm(), stencil), (InternodeCost{cost.j_sum(), cost.j_max()}));
      }
  }
}

TEST(Cart, best_is_no_worse_than_the_systems_communicator) {
  unsigned seed = 50;
  for (const Machine& machine : machines()) {
    const DescribedMachine described(machine.to_text());
    const mpi::Comm world = shuffled_world(++seed);
    for (const Grid& grid : grids()) {
      const Stencil stencil = Stencil::hops(grid.dimensions());
      const Cart plain(world.get(), grid, stencil, {.reorder = false});
      const Cart best(world.get(), grid, stencil);
      // The portfolio may give up 3 % of the sum for half the maximum.
      EXPECT_LE(static_cast<double>(internode_cost(best.comm(), stencil).total),
                1.03 * static_cast<double>(internode_cost(plain.comm(), stencil).total))
          << grid.to_text() << " on " << machine.to_text();
    }
  }
}

TEST(Cart, real_nodes_too) {
  const Grid grid({world_size()});
  const mpi::Comm world = shuffled_world(99);
  const Cart cart(world.get(), grid, Stencil::nearest(1));
  // On a line each node is an interval: two messages between any two neighbouring ones.
  const InternodeCost cost = internode_cost(cart.comm(), Stencil::nearest(1));
  EXPECT_EQ(cost.total, 2 * (cart.machine()->nodes() - 1));
  if (const char* const nodes = std::getenv("HALOCLINE_TEST_NODES")) {
    EXPECT_EQ(cart.machine()->node_sizes().to_text(), nodes);
  }
}

TEST(Cart, processes_left_over_take_no_part) {
  if (world_size() < 3) return;
  const DescribedMachine described(Machine::of_nodes(Runs({2, world_size() - 2})).to_text());
  const mpi::Comm world = shuffled_world(7);
  const Grid grid({world_size() - 1});
  for (const bool reorder : {true, false}) {
    const Cart cart(world.get(), grid, Stencil::nearest(1), {.reorder = reorder});
    Count taking_part = cart.takes_part();
    MPI_Allreduce(MPI_IN_PLACE, &taking_part, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(taking_part, world_size() - 1);
    if (cart.takes_part()) {
      EXPECT_EQ(mpi_coordinates(cart), cart.cell());
    }
    const bool last = reorder ? world_rank() == world_size() - 1 : mpi::rank(world.get()) == world_size() - 1;
    EXPECT_EQ(cart.takes_part(), !last);
  }
}

/// The same communicator again, others between: what is kept of the last one must fit or be left alone.
TEST(Cart, a_communicator_serves_for_any_number_of_grids) {
  unsigned seed = 60;
  for (const Machine& machine : machines()) {
    const DescribedMachine described(machine.to_text());
    const mpi::Comm world = shuffled_world(++seed);
    mpi::Comm copy;
    std::mt19937 draw(seed);
    for (int turn = 0; turn < 24; ++turn) {
      const Grid grid =
          draw() % 4 == 0 ? Grid({std::max(1, world_size() - 1)}) : grids()[draw() % grids().size()];
      const char* const algorithm = std::array{"best", "hyperplane", "blocked"}[draw() % 3];
      const bool reorder = draw() % 4 != 0;
      const bool on_copy = copy && draw() % 2 == 0;
      SCOPED_TRACE(concat("turn ", turn, " ", algorithm, " ", grid.to_text(), " on ", machine.to_text()));
      const Cart cart(on_copy ? copy.get() : world.get(), grid, Stencil::nearest(grid.dimensions()),
                      {.reorder = reorder, .algorithm = plan::algorithm_named(algorithm)});
      if (cart.takes_part()) {
        EXPECT_EQ(mpi::size(cart.comm()), grid.size());
        EXPECT_EQ(mpi_coordinates(cart), cart.cell());
        EXPECT_EQ(cart.cell(),
                  reorder ? cart.placement()->cell(world_rank()) : grid.cell(mpi::rank(world.get())));
      }
      if (draw() % 6 == 0) {  // it has what the original has kept, and may outlive it there
        mpi::Comm again;
        MPI_Comm_dup(world.get(), again.put());
        copy = std::move(again);
      }
    }
  }
}

TEST(Cart, ranks_that_moved_are_ordered_once) {
  const mpi::Comm world = shuffled_world(61);
  const Grid grid({world_size()});
  const Cell mine = grid.cell(world_size() - 1 - mpi::rank(world.get()));
  EXPECT_FALSE(mpi::standing(world.get(), grid, mine).in_kept);
  EXPECT_TRUE(mpi::standing(world.get(), grid, grid.cell(mpi::rank(world.get()))).stays);
  const mpi::Comm first = mpi::create_cart(world.get(), grid, mine);
  const mpi::Standing then = mpi::standing(world.get(), grid, mine);
  EXPECT_TRUE(then.in_kept);
  const mpi::Comm second = mpi::create_cart(world.get(), grid, mine, {false, true});
  EXPECT_EQ(mpi::rank(second.get()), grid.index(mine));
  if (world_size() > 1) {
    const Cell other = grid.cell((grid.index(mine) + 1) % world_size());
    EXPECT_FALSE(mpi::standing(world.get(), grid, other).in_kept);
    EXPECT_FALSE(mpi::standing(world.get(), Grid({world_size() + 1}), mine).in_kept);
    EXPECT_FALSE(mpi::standing(world.get(), grid, std::nullopt).in_kept);
  }
}

/// What is kept on the world goes with it: the program ends in MPI_Finalize.
TEST(Cart, ranks_of_the_world_stay_ordered_to_its_end) {
  const Grid grid({world_size()});
  const mpi::Comm cart = mpi::create_cart(MPI_COMM_WORLD, grid, grid.cell(world_size() - 1 - world_rank()));
  EXPECT_EQ(mpi::rank(cart.get()), world_size() - 1 - world_rank());
  EXPECT_TRUE(mpi::standing(MPI_COMM_WORLD, grid, grid.cell(world_size() - 1 - world_rank())).in_kept);
}

TEST(Cart, a_mesh_is_shared_out_alike_again_and_anew_if_anything_differs) {
  const mpi::Comm world = shuffled_world(62);
  const Stencil nearest = Stencil::nearest(2), moore = Stencil::moore(2, 1);
  const Mesh wide({64, 1024}), high({1024, 64});
  const auto extents = [&](const Mesh& mesh, const Stencil& stencil, const Counts& halo,
                           const Counts& fixed) {
    const Cart cart(world.get(), mesh, stencil, {.halo = halo, .fixed = fixed});
    EXPECT_EQ(cart.stencil(), plan::with_message_sizes(mesh, cart.grid(), stencil, halo));
    EXPECT_EQ(mpi_coordinates(cart), cart.cell());
    return cart.grid().extents();
  };
  for (int turn = 0; turn < 2; ++turn) {
    const Counts first = extents(wide, nearest, {}, {});
    EXPECT_EQ(extents(wide, nearest, {}, {}), first);
    EXPECT_EQ(extents(wide, moore, {}, {}), first);
    EXPECT_EQ(extents(high, nearest, {}, {}), Counts(first.rbegin(), first.rend()));
    EXPECT_EQ(extents(wide, nearest, {}, {world_size(), 1}), (Counts{world_size(), 1}));
    EXPECT_EQ(extents(wide, nearest, {1, 0}, {}), (Counts{1, world_size()}));
  }
}

TEST(Cart, without_reordering_ranks_stay) {
  const mpi::Comm world = shuffled_world(8);
  const Cart cart(world.get(), Grid({world_size()}), Stencil::nearest(1), {.reorder = false});
  EXPECT_EQ(mpi::rank(cart.comm()), mpi::rank(world.get()));
  EXPECT_EQ(cart.algorithm(), "none");
  EXPECT_EQ(cart.placement(), nullptr);
}

TEST(Cart, the_algorithm_is_chosen_by_argument_then_info_then_environment) {
  const mpi::Comm world = shuffled_world(9);
  const auto algorithm_with = [&](const CartOptions& options) {
    return Cart(world.get(), Grid({world_size()}), Stencil::nearest(1), options).algorithm();
  };
  setenv("HALOCLINE_PLACE", "kd-tree", 1);
  EXPECT_EQ(algorithm_with({}), "kd-tree");
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "halocline_place", "hyperplane");
  EXPECT_EQ(algorithm_with({.info = info}), "hyperplane");
  EXPECT_EQ(algorithm_with({.algorithm = PlacementAlgorithm::strips, .info = info}), "strips");
  unsetenv("HALOCLINE_PLACE");
  MPI_Info_free(&info);
}

TEST(Cart, a_mesh_gets_the_grid_that_is_best_once_placed) {
  unsigned seed = 20;
  for (const Machine& machine : machines()) {
    const DescribedMachine described(machine.to_text());
    const mpi::Comm world = shuffled_world(++seed);
    const Mesh mesh({1800, 580, 300}, periodic(1, 0, 0));
    const Stencil stencil = Stencil::moore(3, 1);
    const Cart cart(world.get(), mesh, stencil, {.halo = {1, 1, 2}});
    const plan::GridChoice choice = plan::choose_grid({mesh, stencil, machine, {1, 1, 2}});
    EXPECT_EQ(cart.grid(), choice.grid);
    EXPECT_EQ(internode_cost(cart.comm(), cart.stencil()).total, choice.cost.j_sum());
    const Cart plain(world.get(), mesh, stencil, {.reorder = false});
    EXPECT_EQ(plain.grid().size(), world_size());
  }
}

TEST(Cart, processes_that_want_different_meshes_are_told_and_can_go_on) {
  if (world_size() < 2) return;
  const bool first = world_rank() == 0;
  for (const Machine& machine : machines()) {
    SCOPED_TRACE(machine.to_text());
    const DescribedMachine described(machine.to_text());
    const mpi::Comm world = shuffled_world(63);
    const Stencil stencil = Stencil::nearest(2);
    const Mesh mesh({1800, 580}), other({580, 1800});
    const auto expect_best = [&](const Mesh& wanted) {
      const Cart cart(world.get(), wanted, stencil);
      EXPECT_EQ(cart.grid(), plan::choose_grid({wanted, stencil, machine}).grid);
    };
    const auto expect_refusal = [&] {
      expect_error(
          Fault::invalid_argument, [&] { (void)Cart(world.get(), first ? mesh : other, stencil); },
          "differs between the processes");
    };
    expect_refusal();  // nobody has either
    expect_best(mesh);
    expect_refusal();  // the first has its own
    expect_best(other);
    expect_best(mesh);
    if (first) setenv("HALOCLINE_PLACE", "blocked", 1);  // which the others do not have
    EXPECT_EQ(Cart(world.get(), mesh, stencil).algorithm(), "blocked");
    if (first) unsetenv("HALOCLINE_PLACE");
    expect_best(mesh);
    if (!first) setenv("HALOCLINE_PLACE", "blocked", 1);
    expect_best(mesh);
    unsetenv("HALOCLINE_PLACE");
  }
}

TEST(Cart, the_same_grid_again_is_placed_the_same) {
  const DescribedMachine described(machines().back().to_text());
  const mpi::Comm world = shuffled_world(11);
  const Grid grid = grids().back();
  const Stencil stencil = Stencil::nearest(grid.dimensions());
  const Cell first = Cart(world.get(), grid, stencil).cell();
  EXPECT_EQ(Cart(world.get(), grid, stencil).cell(), first);
  const Cart other(world.get(), grid, stencil, {.algorithm = PlacementAlgorithm::blocked});
  EXPECT_EQ(other.algorithm(), "blocked");
  EXPECT_EQ(Cart(world.get(), grid, stencil).cell(), first);
  mpi::Comm duplicate;
  MPI_Comm_dup(world.get(), duplicate.put());
  EXPECT_EQ(Cart(duplicate.get(), grid, stencil).cell(), first);
}

TEST(Cart, nothing_is_leaked) {
  const mpi::Comm world = shuffled_world(3);
  expect_no_lost_communicators(MPI_COMM_WORLD, [&] {
    const Cart cart(world.get(), Grid({world_size()}), Stencil::nearest(1));
    (void)internode_cost(cart.comm(), cart.stencil());
  });
}

TEST(Cart, refuses_alike_on_all_ranks) {
  const mpi::Comm world = shuffled_world(4);
  const Grid line({world_size()});
  const auto expect_refusal = [&](Fault fault, const Grid& grid, const Stencil& stencil,
                                  const CartOptions& options, const std::string& words) {
    expect_error(
        fault, [&] { (void)Cart(world.get(), grid, stencil, options); }, words);
  };
  expect_refusal(Fault::invalid_dimensions, Grid({world_size() + 1}), Stencil::nearest(1), {}, "cells");
  expect_refusal(Fault::invalid_dimensions, line, Stencil::nearest(2), {}, "2 dimensions");
  expect_refusal(Fault::invalid_argument, line, Stencil::nearest(1), {.halo = {1}}, "options of a mesh");
  expect_refusal(Fault::invalid_argument, line, Stencil::nearest(1), {.fixed = {world_size()}},
                 "options of a mesh");
  expect_refusal(Fault::invalid_argument, line, Stencil::nearest(1),
                 {.algorithm = static_cast<PlacementAlgorithm>(77)}, "77");
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_place", "magic");
  expect_refusal(Fault::invalid_argument, line, Stencil::nearest(1), {.info = info.get()}, "magic");
  expect_error(
      Fault::mpi, [] { (void)Cart(MPI_COMM_NULL, Grid({1}), Stencil::nearest(1)); }, "MPI_COMM_NULL");
  expect_error(
      Fault::invalid_topology, [&] { (void)internode_cost(world.get(), Stencil::nearest(1)); }, "Cartesian");
  if (world_size() < 2) return;
  const bool first = world_rank() == 0;
  expect_refusal(Fault::invalid_argument, line, Stencil::nearest(1), {.reorder = first},
                 "differs between the processes");
  expect_refusal(Fault::invalid_argument, first ? line : Grid({world_size()}, periodic(1)),
                 Stencil::nearest(1), {}, "differs between the processes");
}

}  // namespace
}  // namespace halocline::mpi_cart_tests
