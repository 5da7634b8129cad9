// Communicators that know the network: described by options, info or environment, by order or by host names.
#include "base/fail.hpp"
#include "expect_error.hpp"
#include "halocline/halocline.h"
#include "halocline/mpi/cart.hpp"
#include "halocline/mpi/discover.hpp"
#include "mpi/communicators/placed_cart.hpp"
#include "network/routing/metrics.hpp"
#include "place/best.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/network_contest.hpp"
#include "support/scope.hpp"

#include <algorithm>
#include <random>
#include <sstream>

namespace halocline::mpi_network_cart_tests {
namespace {

/// One or two ranks a node, and one node that differs.
std::vector<Machine> machines() {
  std::vector<Machine> all{Machine::of_nodes(Runs::of(world_size(), 1))};
  if (world_size() % 2 == 0) all.push_back(Machine::of_nodes(Runs::of(world_size() / 2, 2)));
  if (world_size() >= 4) {
    Runs uneven = Runs::of(1, 3);
    uneven.append(1, world_size() - 3);
    all.push_back(Machine::of_nodes(uneven));
  }
  return all;
}

Grid grid_of_all() {
  for (Count rows = 4; rows >= 2; --rows)
    if (world_size() % rows == 0 && world_size() > rows)
      return Grid({rows, world_size() / rows}, periodic(0, 1));
  return Grid({world_size()});
}

/// The nodes of a ring in an order that jumps about.
Allocation jumping(Count nodes) {
  Counts order;
  for (Count i = 0; i < nodes; ++i) order.push_back(i * 7 % (7 * nodes + 1));
  return {Network::torus({7 * nodes + 1}), order};
}

/// WeightedHops of a communicator as it is: the node of the world's core r is node_of(r) of `machine`.
double hops_of(const Cart& cart, const Machine& machine, const Allocation& allocation) {
  const std::vector<Count> nodes =
      everyones(cart.comm(), allocation.nodes()[static_cast<std::size_t>(machine.node_of(world_rank()))]);
  return network::measure_hops(TaskMessages::of_stencil(cart.grid(), cart.stencil()), allocation.network(),
                               nodes)
      .weighted_hops;
}

TEST(NetworkCart, has_the_placement_that_one_process_would_find) {
  unsigned seed = 100;
  for (const Machine& machine : machines()) {
    SCOPED_TRACE(machine.to_text());
    const DescribedMachine described(machine.to_text());
    const mpi::Comm world = shuffled_world(++seed);
    // The file has the nodes in the order of their lowest ranks: that of the description, as all take part.
    const Allocation allocation = jumping(machine.nodes());
    const SharedFile file(allocation.to_text());
    const Grid grid = grid_of_all();
    const Stencil stencil = Stencil::hops(grid.dimensions());
    const Cart plain(world.get(), grid, stencil);
    EXPECT_EQ(plain.allocation(), nullptr);
    const Cart cart(world.get(), grid, stencil,
                    {.network = allocation.network().to_text(), .allocation = file.path()});
    ASSERT_NE(cart.allocation(), nullptr);
    EXPECT_EQ(*cart.allocation(), allocation);
    const place::Problem problem(grid, stencil, machine);
    const auto alone = plan::place_on_network(problem, place::best(problem).placement, allocation);
    EXPECT_EQ(cart.cell(), alone.placement.cell(world_rank()));
    EXPECT_EQ(hops_of(cart, machine, allocation), alone.score.weighted_hops);
    EXPECT_EQ(hops_of(plain, machine, allocation), alone.score_before.weighted_hops);
    EXPECT_LE(alone.score.weighted_hops, alone.score_before.weighted_hops);
    EXPECT_EQ(internode_cost(cart.comm(), stencil), internode_cost(plain.comm(), stencil));
    // Once more, from what is remembered, and something else in between.
    const CartOptions same{.network = allocation.network().to_text(), .allocation = file.path()};
    EXPECT_EQ(Cart(world.get(), grid, stencil, same).cell(), cart.cell());
    EXPECT_EQ(Cart(world.get(), grid, stencil, {.network = "none"}).cell(), plain.cell());
    EXPECT_EQ(Cart(world.get(), grid, stencil, same).cell(), cart.cell());
  }
}

TEST(NetworkCart, has_the_fullest_link_that_one_process_would_find) {
  unsigned seed = 200;
  for (const Machine& machine : machines()) {
    SCOPED_TRACE(machine.to_text());
    const DescribedMachine described(machine.to_text());
    const mpi::Comm world = shuffled_world(++seed);
    const Allocation allocation = jumping(machine.nodes());
    const SharedFile file(allocation.to_text());
    const Grid grid = grid_of_all();
    const Stencil stencil = Stencil::moore(grid.dimensions(), 1);
    const place::Problem problem(grid, stencil, machine);
    for (const std::string wanted : {"best", "strips"}) {
      const place::BestPlacement best = place::best(problem);
      plan::Candidate placed{std::string(best.algorithm), best.placement};
      if (wanted != "best") placed = {wanted, place::algorithm(wanted).place(problem)};
      const auto alone = plan::place_on_network(
          problem, plan::network_candidates(problem, std::move(placed), wanted, "links"), allocation,
          {.variant = NodeMapping::links});
      const CartOptions options{.algorithm = plan::algorithm_named(wanted),
                                .network = allocation.network().to_text(),
                                .allocation = file.path(),
                                .mapping = NodeMapping::links};
      for (int again = 0; again < 2; ++again) {
        const Cart cart(world.get(), grid, stencil, options);
        EXPECT_EQ(cart.algorithm(), alone.algorithm);
        EXPECT_EQ(cart.cell(), alone.on_network.placement.cell(world_rank()));
      }
      EXPECT_FALSE(alone.on_network.score_before < alone.on_network.score);
    }
  }
}

TEST(NetworkCart, moves_nodes_where_that_helps) {
  if (world_size() < 8) return;
  const DescribedMachine described(Machine::of_nodes(Runs::of(world_size(), 1)).to_text());
  const mpi::Comm world = shuffled_world(17);
  const Allocation allocation = jumping(world_size());
  const SharedFile file(allocation.to_text());
  const CartOptions options{.algorithm = PlacementAlgorithm::random,
                            .network = allocation.network().to_text(),
                            .allocation = file.path()};
  const Grid line({world_size()});
  const Cart cart(world.get(), line, Stencil::nearest(1), options);
  const Cart plain(world.get(), line, Stencil::nearest(1), {.algorithm = PlacementAlgorithm::random});
  const Machine machine = Machine::of_nodes(Runs::of(world_size(), 1));
  EXPECT_LT(hops_of(cart, machine, allocation), 0.9 * hops_of(plain, machine, allocation));
}

TEST(NetworkCart, is_described_by_argument_then_info_then_environment) {
  const DescribedMachine described(Machine::of_nodes(Runs::of(world_size(), 1)).to_text());
  const mpi::Comm world = shuffled_world(18);
  const std::string n = std::to_string(world_size());
  const auto network_with = [&](const CartOptions& options) {
    mpi::Comm fresh = mpi::split(world.get(), 0, mpi::rank(world.get()));  // nothing is remembered
    const Cart cart(fresh.get(), Grid({world_size()}), Stencil::nearest(1), options);
    return cart.allocation() == nullptr ? "" : cart.allocation()->network().to_text();
  };
  EXPECT_EQ(network_with({}), "");
  // The environment counts on rank 0 alone.
  const Variable variable("HALOCLINE_NETWORK", mpi::rank(world.get()) == 0 ? "torus:" + n : "nonsense");
  EXPECT_EQ(network_with({}), "torus:" + n);
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_network", ("mesh:" + n).c_str());
  EXPECT_EQ(network_with({.info = info.get()}), "mesh:" + n);
  EXPECT_EQ(network_with({.network = "fat-tree:" + n, .info = info.get()}), "fat-tree:" + n);
  EXPECT_EQ(network_with({.network = "none", .info = info.get()}), "");
  EXPECT_EQ(network_with({.reorder = false}), "");
}

TEST(NetworkCart, matches_hosts_by_name) {
  // On several real nodes the hosts differ; on one there is one name.
  const mpi::Comm world = shuffled_world(19);
  const Discovery discovery = discover(world.get());
  char name[MPI_MAX_PROCESSOR_NAME + 1] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  const char* const distinct = std::getenv("HALOCLINE_TEST_HOSTS");
  if (distinct == nullptr && discovery.machine.nodes() > 1) return;
  std::ostringstream text;
  text << "elsewhere 0 0\n";
  const Count hosts = discovery.machine.nodes();
  if (distinct != nullptr) {
    for (Count node = hosts; node-- > 0;) text << 'n' << node << " 1 " << node << '\n';
    ASSERT_EQ(std::string(name).substr(0, 1), "n");
  } else {
    text << mpi::broadcast(MPI_COMM_WORLD, name) << " 1 0\n";
  }
  const SharedFile file(text.str());
  const Cart cart(world.get(), Grid({world_size()}), Stencil::nearest(1),
                  {.network = concat("mesh:2x", hosts), .allocation = file.path()});
  ASSERT_NE(cart.allocation(), nullptr);
  const Count mine = cart.machine()->node_of(discovery.position);
  const Count host = distinct != nullptr ? std::stoll(std::string(name).substr(1)) : 0;
  EXPECT_EQ(cart.allocation()->coordinates(mine), (Counts{1, host}));
}

TEST(NetworkCart, of_a_mesh_and_with_processes_left_over) {
  const Machine machine = machines().back();
  const DescribedMachine described(machine.to_text());
  const mpi::Comm world = shuffled_world(20);
  const Allocation allocation = jumping(machine.nodes());
  const SharedFile file(allocation.to_text());
  const CartOptions options{.network = allocation.network().to_text(), .allocation = file.path()};
  const Mesh mesh({1800, 580});
  const Cart cart(world.get(), mesh, Stencil::nearest(2), options);
  const Cart plain(world.get(), mesh, Stencil::nearest(2));
  EXPECT_EQ(cart.grid(), plain.grid());
  EXPECT_LE(hops_of(cart, machine, allocation), hops_of(plain, machine, allocation));
  EXPECT_EQ(internode_cost(cart.comm(), cart.stencil()), internode_cost(plain.comm(), plain.stencil()));
  if (world_size() < 3) return;
  const Grid fewer({world_size() - 1});
  const Cart some(world.get(), fewer, Stencil::nearest(1), options);
  EXPECT_EQ(some.takes_part(), world_rank() < world_size() - 1);
  EXPECT_EQ(some.allocation()->size(), machine.first(world_size() - 1).nodes());
}

TEST(NetworkCart, refuses_alike_on_all_ranks) {
  const DescribedMachine described(Machine::of_nodes(Runs::of(world_size(), 1)).to_text());
  const mpi::Comm world = shuffled_world(21);
  const std::string n = std::to_string(world_size());
  const auto refused = [&](const CartOptions& options, const auto&... words) {
    SCOPED_TRACE(options.network + " " + options.allocation);
    expect_error(
        Fault::invalid_argument,
        [&] { (void)Cart(world.get(), Grid({world_size()}), Stencil::nearest(1), options); }, words...);
  };
  const std::string ring = "torus:" + std::to_string(world_size() + 2);
  refused({.network = "ring:16"}, "ring:16");
  refused({.network = "torus:99999999999999999999"}, "'99999999999999999999' does not fit in 64 bits");
  refused({.network = "torus:" + n + " bandwidth:1e999"}, "1e999");
  refused({.network = ring}, ring, "the job " + n, "allocation");
  refused({.network = ring, .allocation = "/no/such/file"}, "/no/such/file", "cannot be read");
  refused({.network = "torus:" + n, .mapping = static_cast<NodeMapping>(9)}, "mapping", "9");
  const SharedFile few("0\n");
  if (world_size() > 1) {
    refused({.network = ring, .allocation = few.path()}, few.path(), "1 nodes", "the job " + n);
  }
  const SharedFile outside("# a comment\n99999\n");
  refused({.network = ring, .allocation = outside.path()}, outside.path(), "line 2", "99999");
  const SharedFile beyond("99999999999999999999\n");
  refused({.network = ring, .allocation = beyond.path()}, beyond.path(), "line 1", "99999999999999999999");
  const SharedFile named("nobody 0\n");
  refused({.network = ring, .allocation = named.path()}, named.path(), "not among the 1 hosts");
  if (world_size() == 1) return;
  // HALOCLINE_MACHINE's nodes are all this host.
  char name[MPI_MAX_PROCESSOR_NAME + 1] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  if (std::getenv("HALOCLINE_TEST_HOSTS") == nullptr) {
    const SharedFile same(concat(mpi::broadcast(MPI_COMM_WORLD, name), " 0\n"));
    refused({.network = ring, .allocation = same.path()}, same.path(), "names of their own");
  }
  const bool first = mpi::rank(world.get()) == 0;
  refused({.network = first ? "torus:" + n : "mesh:" + n}, "differs between the processes");
  refused({.network = first ? "torus:" + n : ""}, "differs between the processes");
  // Also when what one of them wants is remembered, and the other's is not.
  const Cart known(world.get(), Grid({world_size()}), Stencil::nearest(1));
  refused({.network = first ? "torus:" + n : ""}, "differs between the processes");
  refused({.network = first ? "" : "torus:" + n}, "differs between the processes");
  refused({.reorder = first, .network = "torus:" + n}, "differs between the processes");
  // Two names of what may be one placement: only some would find it among what is remembered.
  refused({.algorithm = first ? PlacementAlgorithm::best : PlacementAlgorithm::optimal_strips,
           .network = "torus:" + n},
          "differs between the processes");
}

TEST(NetworkCart, in_c) {
  const DescribedMachine described(Machine::of_nodes(Runs::of(world_size(), 1)).to_text());
  const mpi::Comm world = shuffled_world(22);
  const Allocation allocation = jumping(world_size());
  const SharedFile file(allocation.to_text());
  mpi::Info info;
  MPI_Info_create(info.put());
  MPI_Info_set(info.get(), "halocline_network", allocation.network().to_text().c_str());
  MPI_Info_set(info.get(), "halocline_allocation", file.path().c_str());
  const int dims[] = {world_size()};
  const int periods[] = {1};
  mpi::Comm cart;
  ASSERT_EQ(HCL_Cart_create(world.get(), 1, dims, periods, 1, 0, HCL_STENCIL_NEAREST, nullptr, info.get(),
                            cart.put()),
            MPI_SUCCESS);
  const Cart same(world.get(), Grid({world_size()}, periodic(1)), Stencil::nearest(1), {.info = info.get()});
  EXPECT_EQ(mpi::rank(cart.get()), mpi::rank(same.comm()));
  MPI_Info_set(info.get(), "halocline_allocation", "/no/such/file");
  int its_class = MPI_SUCCESS;
  mpi::Comm none;
  MPI_Error_class(HCL_Cart_create(world.get(), 1, dims, periods, 1, 0, HCL_STENCIL_NEAREST, nullptr,
                                  info.get(), none.put()),
                  &its_class);
  EXPECT_EQ(its_class, MPI_ERR_ARG);
}

TEST(NetworkCart, loses_no_communicators) {
  if (world_size() > 4) return;  // they are dear on an oversubscribed machine
  const DescribedMachine described(Machine::of_nodes(Runs::of(world_size(), 1)).to_text());
  const mpi::Comm world = shuffled_world(23);
  expect_no_lost_communicators(world.get(), [&] {
    const mpi::Comm fresh = mpi::split(world.get(), 0, mpi::rank(world.get()));
    const Cart cart(fresh.get(), Grid({world_size()}), Stencil::nearest(1),
                    {.network = concat("torus:", world_size())});
  });
}

}  // namespace
}  // namespace halocline::mpi_network_cart_tests
