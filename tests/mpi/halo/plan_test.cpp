// The plan of communicators and halos is the one that `halocline plan` makes, and a plan that is given is
// obeyed.

#include "halocline/base/error.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "support/scope.hpp"

#include <gtest/gtest.h>

#include <array>

namespace halocline::halo_plan_tests {
namespace {

std::string nodes_of(Count size) {
  Counts sizes;
  for (Count left = world_size(); left > 0; left -= sizes.back()) sizes.push_back(std::min(size, left));
  return Machine::of_nodes(Runs(sizes)).to_text();
}

plan::Problem problem_on(const std::string& machine, const Stencil& stencil) {
  plan::Problem problem{Mesh({50, 47, 61}, periodic(1, 0, 1)), stencil, Machine::parse(machine), {1, 2, 1}};
  problem.fields = 2;
  return problem;
}

Halo halo_of(const Cart& cart, std::vector<Field<double>>& fields, const LevelCosts& prices) {
  fields.clear();
  for (int i = 0; i < 2; ++i) fields.emplace_back(cart, FieldOptions{.halo = HaloWidths(cart.halo())});
  HaloOptions options;
  options.exchange.costs = prices;
  return Halo(cart, {fields[0], fields[1]}, options);
}

TEST(PlanOfAHalo, is_the_one_of_the_command_line) {
  for (const Count node_size : {1, 2, 3, 16})
    for (const Stencil& stencil : {Stencil::nearest(3), Stencil::moore(3, 1)})
      for (const char* const network : {"none", "torus"}) {
        const std::string machine = nodes_of(node_size);
        plan::Problem problem = problem_on(machine, stencil);
        CartOptions options{.halo = problem.halo};
        options.network = network;
        if (options.network == "torus") {
          const Network ring = Network::torus({problem.machine.nodes()});
          problem.allocation = Allocation::whole(ring);
          options.network = ring.to_text();
        }
        const DescribedMachine described(machine);
        const mpi::Comm world = shuffled_world(static_cast<unsigned>(node_size));
        const Cart cart(world.get(), problem.mesh, stencil, options);
        const LevelCosts prices{{1e-7, 1e-10}, {1e-6, 2e-10}};
        plan::Choices choices;
        choices.prices = prices;
        std::vector<Field<double>> fields;
        const Halo halo = halo_of(cart, fields, prices);
        const plan::Explanation expected = plan::explain(problem, choices, plan::MachineSource::of_job());
        EXPECT_EQ(halo.plan().to_text(), expected.to_text());
        EXPECT_EQ(halo.exchanged().schedule(), expected.plan.schedule);
        problem.fields = 1;
        EXPECT_EQ(cart.plan(prices).to_text(),
                  plan::explain(problem, choices, plan::MachineSource::of_job()).to_text());
      }
}

TEST(PlanOfAHalo, counts_halos_of_all_kinds) {
  const DescribedMachine described(nodes_of(2));
  const mpi::Comm world = shuffled_world(7);
  const Grid grid({world_size()}, periodic(1));
  const mpi::Comm cart = mpi::create_cart(world.get(), grid, grid.cell(mpi::rank(world.get())));
  // Shares that differ, widths that differ from side to side and from field to field.
  const Count own = 4 + mpi::rank(cart.get()) % 3;
  std::vector<double> a(static_cast<std::size_t>(own + 3));
  std::vector<float> b(static_cast<std::size_t>(own + 4));
  const Halo halo(cart.get(),
                  {view(a.data(), element_layout<double>(), {own + 3}, HaloWidths({1}, {2})),
                   view(b.data(), element_layout<float>(), {own + 4}, HaloWidths({3}, {1}))},
                  {});
  const plan::Explanation both = halo.plan();
  const plan::LevelTraffic& sent = both.plan.prediction.total;
  EXPECT_EQ(sent.self.bytes + sent.node.bytes + sent.network.bytes,
            world_size() * (8 * (1 + 2) + 4 * (3 + 1)));
  EXPECT_EQ(both.plan.placed_by, plan::not_placed);
  EXPECT_EQ(plan::Explanation::parse(both.to_json()).to_text(), both.to_text());
}

/// What all processes send in one exchange.
plan::LevelTraffic sent_by_all(const Halo& halo, MPI_Comm comm) {
  const ExchangeStatistics mine = halo.statistics();
  const std::array<Count, 6> own{mine.self.messages, mine.self.bytes,       mine.node.messages,
                                 mine.node.bytes,    mine.network.messages, mine.network.bytes};
  std::array<Count, 6> all{};
  MPI_Allreduce(own.data(), all.data(), 6, MPI_INT64_T, MPI_SUM, comm);
  return {{all[0], all[1]}, {all[2], all[3]}, {all[4], all[5]}};
}

TEST(PlanOfAHalo, counts_ghost_points_that_travel_along_open_borders) {
  const Stencil corners({{1, 1, 1}, {-1, 1, 1}, {1, -1, 0}, {0, 1, 0}});
  for (const Count node_size : {1, 2, 3})
    for (const Stencil& directions : {Stencil::nearest(3), Stencil::moore(3, 1), corners})
      for (const HaloWidths& widths : {HaloWidths({1, 2, 1}), HaloWidths({1, 0, 2}, {2, 1, 1})})
        for (const Borders borders : {Borders::keep, Borders::carry}) {
          const DescribedMachine described(nodes_of(node_size));
          const mpi::Comm world = shuffled_world(static_cast<unsigned>(node_size));
          const Cart cart(world.get(), Mesh({50, 47, 61}, periodic(0, 0, 1)), Stencil::moore(3, 1));
          const Field<double> a(cart, {.halo = widths});
          const Field<float> b(cart, {.halo = widths});
          HaloOptions options{.directions = directions, .borders = borders};
          options.exchange.schedule = ScheduleChoice::direct;
          Halo halo(cart, {a, b}, options);
          halo.exchange();
          const plan::Explanation both = halo.plan();
          const plan::LevelTraffic sent = sent_by_all(halo, cart.comm());
          EXPECT_EQ(both.plan.prediction.total.self.bytes, sent.self.bytes) << directions.to_text();
          EXPECT_EQ(both.plan.prediction.total.node, sent.node) << directions.to_text();
          EXPECT_EQ(both.plan.prediction.total.network, sent.network) << directions.to_text();
          EXPECT_EQ(plan::Explanation::parse(both.to_json()).to_text(), both.to_text());
          const bool carried = borders == Borders::carry && directions != Stencil::nearest(3);
          EXPECT_EQ(both.to_text().find("longer along open borders") != std::string::npos, carried);
        }
}

TEST(PlanOfAHalo, grows_messages_and_adds_none) {
  const mpi::Comm world = shuffled_world(9);
  const Cart cart(world.get(), Mesh({50, 47, 61}, periodic(0, 0, 1)), Stencil::moore(3, 1));
  const Field<double> u(cart);
  const auto sent = [&](Borders borders) {
    const HaloOptions options{.borders = borders};
    Halo halo(cart, options, u);
    halo.exchange();
    const plan::LevelTraffic all = sent_by_all(halo, cart.comm());
    Traffic both = all.node;
    return both += all.network;
  };
  const Traffic keep = sent(Borders::keep), carry = sent(Borders::carry);
  EXPECT_EQ(carry.messages, keep.messages);
  if (world_size() > 1) {
    EXPECT_GT(carry.bytes, keep.bytes);
  }
}

TEST(PlanOfACart, without_reordering_is_of_ranks_as_they_came) {
  const DescribedMachine described(nodes_of(2));
  const Cart cart(MPI_COMM_WORLD, Grid({world_size()}), Stencil::nearest(1), {.reorder = false});
  const plan::Explanation both = cart.plan();
  EXPECT_EQ(both.plan.placed_by, plan::not_placed);
  EXPECT_EQ(both.problem.machine.node_sizes().to_text(), Machine::parse(nodes_of(2)).node_sizes().to_text());
}

TEST(PlanOfACart, is_obeyed_if_it_fits) {
  const std::string machine = nodes_of(2);
  const DescribedMachine described(machine);
  const Mesh mesh({64, 64, 64});
  const Stencil stencil = Stencil::nearest(3);
  // What nobody would choose.
  plan::Problem problem{mesh, stencil, Machine::parse(machine)};
  problem.fixed = {1, 1, world_size()};
  plan::Choices choices;
  choices.grid.algorithm = PlacementAlgorithm::random;
  const plan::Explanation planned = plan::explain(problem, choices);
  const FirstFolder folder;
  const FirstVariable use("HALOCLINE_PLAN_USE", folder.holding("plan.json", planned.to_json()));
  const mpi::Comm world = shuffled_world(3);
  const Cart cart(world.get(), mesh, stencil);
  EXPECT_EQ(cart.grid(), planned.plan.grid);
  EXPECT_EQ(cart.algorithm(), "random");
  EXPECT_EQ(cart.cell(), planned.plan.placement.cell(world_rank()));
  const Cart given(world.get(), planned.plan.grid, stencil);
  EXPECT_EQ(given.cell(), planned.plan.placement.cell(world_rank()));
  if (world_size() < 4) return;
  const Cart other_mesh(world.get(), Mesh({64, 64, 65}), stencil);
  EXPECT_NE(other_mesh.algorithm(), "random");
  const Cart other_halo(world.get(), mesh, stencil, {.halo = {2, 2, 2}});
  EXPECT_NE(other_halo.algorithm(), "random");
  const Cart other_network(world.get(), mesh, stencil,
                           {.network = Network::torus({problem.machine.nodes()}).to_text()});
  EXPECT_NE(other_network.algorithm(), "random");
  const Cart fixed(world.get(), mesh, stencil, {.fixed = {world_size(), 1, 1}});
  EXPECT_EQ(fixed.grid().extents().front(), world_size());
  const DescribedMachine elsewhere(nodes_of(3));
  const mpi::Comm again = shuffled_world(4);
  EXPECT_NE(Cart(again.get(), mesh, stencil).algorithm(), "random");
}

}  // namespace
}  // namespace halocline::halo_plan_tests
