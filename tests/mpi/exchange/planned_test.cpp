// What an exchange does by itself is what the plan says of the same blocks.

#include "exchange/scattered_block.hpp"
#include "halocline/base/error.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/options/option_names.hpp"
#include "plan/random_problems.hpp"
#include "plan/transport/schedule_choice.hpp"
#include "schedule/on_grid.hpp"
#include "support/random_levels.hpp"
#include "support/trials.hpp"
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace halocline::exchange_planned_tests {
namespace {

const Layout byte = Layout::named(Elementary::byte);

/// Blocks on a grid of all processes, which sit on described nodes.
struct Case {
  Machine machine;
  Grid grid;
  Stencil offsets;
  Operation operation;
  Counts bytes;  ///< Of the block to each neighbour.
  LevelCosts prices;
  bool shared;     ///< Whether processes of a node may share memory.
  Rank shift = 0;  ///< Of the process on the first cell; the others follow.

  [[nodiscard]] Rank rank(Count cell) const { return (cell + shift) % grid.size(); }
  [[nodiscard]] Count cell(Rank rank) const { return (rank + grid.size() - shift) % grid.size(); }
};

/// The same on all processes for the same seed. Offsets may repeat, be zero and lead around the grid.
Case random_case(std::uint64_t seed) {
  plan::RandomProblems problems(seed, world_size());
  const plan::RandomProblem given = problems.any();
  Random& random = problems.random();
  const Grid grid = RandomGrids::grid(world_size(), random);
  Stencil offsets = random_in(random, 0, 1) == 0 ? RandomGrids::offsets(grid.dimensions(), random)
                                                 : Stencil::moore(grid.dimensions(), 1);
  const Operation operation = random_in(random, 0, 1) == 0 ? Operation::alltoall : Operation::allgather;
  Counts bytes(offsets.size(), Count{1} << random_in(random, 0, 16));
  if (operation == Operation::alltoall)
    for (Count& size : bytes)
      if (random_in(random, 0, 3) == 0) size = random_in(random, 0, 1000);
  return {
      given.problem.machine,      grid, std::move(offsets), operation, std::move(bytes), given.choices.prices,
      random_in(random, 0, 4) > 0};
}

/// On a machine with more levels, some of which have prices.
Case random_case_with_levels(std::uint64_t seed) {
  Case problem = random_case(seed);
  Random random(seed + 1000);
  problem.machine = with_random_levels(random, problem.machine);
  problem.prices = with_random_level_prices(random, problem.prices);
  problem.shift = random_in(random, 0, world_size() - 1);
  return problem;
}

std::string planned(const Case& problem) {
  std::vector<int> node_of;
  for (Count cell = 0; cell < problem.grid.size(); ++cell)
    node_of.push_back(static_cast<int>(problem.machine.node_of(problem.rank(cell))));
  std::map<std::string, Schedule> made;
  const auto schedule = [&](const std::string& name) -> const Schedule& {
    return made
        .emplace(name,
                 schedule::on(schedule::algorithm(name), problem.offsets, problem.operation, problem.grid))
        .first->second;
  };
  const auto bytes = [&](Count, std::size_t neighbour) { return problem.bytes[neighbour]; };
  return plan::name_of(
      plan::choose_schedule({problem.grid,
                             problem.offsets,
                             problem.operation,
                             node_of,
                             static_cast<int>(problem.machine.nodes()),
                             bytes,
                             {&problem.machine, [&](Count cell) { return problem.rank(cell); }}},
                            problem.prices, {problem.shared, true, schedule}));
}

/// What an exchange of these blocks chooses.
std::string chosen(const Case& problem, const LevelCosts& prices) {
  const DescribedMachine described(problem.machine.to_text());
  const mpi::Comm cart =
      mpi::create_cart(MPI_COMM_WORLD, problem.grid, problem.grid.cell(problem.cell(world_rank())));
  const Neighborhood neighborhood(cart.get(), problem.offsets);
  std::vector<std::byte> memory(std::size_t{1} << 17);
  std::vector<Block> send, receive;
  for (const Count size : problem.bytes) {
    send.push_back({memory.data(), byte, size});
    receive.push_back({memory.data() + memory.size() / 2, byte, size});
  }
  ExchangeOptions options;
  options.schedule = ScheduleChoice::automatic;
  options.shared = problem.shared ? SharedMemory::on : SharedMemory::off;
  options.costs = prices;
  return problem.operation == Operation::alltoall
             ? Exchange::alltoall(neighborhood, send, receive, options).schedule()
             : Exchange::allgather(neighborhood, send.front(), receive, options).schedule();
}

TEST(Planned, an_exchange_does_what_the_plan_says) {
  Trials trials("planned exchanges", 1, 40);
  std::map<std::string, int> seen;
  while (trials.next()) {
    const Case problem = random_case(trials.seed());
    const std::string expected = planned(problem);
    ++seen[expected];
    ASSERT_EQ(chosen(problem, problem.prices), expected)
        << trials << problem.grid.to_text() << " on " << problem.machine.to_text();
  }
  if (world_size() >= 8 && trials.done() >= 40) {
    EXPECT_GE(seen.size(), 3U) << "the cases are too much alike";
  }
}

TEST(Planned, an_exchange_goes_by_the_prices_of_levels) {
  Trials trials("exchanges with prices of levels", 1, 40);
  int decided_by_levels = 0;
  while (trials.next()) {
    const Case problem = random_case_with_levels(trials.seed());
    Case without = problem;
    without.prices.levels = {};
    const std::string expected = planned(problem);
    decided_by_levels += expected == planned(without) ? 0 : 1;
    ASSERT_EQ(chosen(problem, problem.prices), expected)
        << trials << problem.grid.to_text() << " on " << problem.machine.to_text();
  }
  if (world_size() >= 8 && trials.done() >= 40) {
    EXPECT_GE(decided_by_levels, 1) << "they make no difference";
  }
}

TEST(Planned, prices_are_finite_and_not_negative) {
  Case problem = random_case(1);
  for (const double price : {-1e-9, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)chosen(problem, {{}, {price, 1e-9}}), Error);
    EXPECT_THROW((void)chosen(problem, {{0, price}, {0, 0}}), Error);
    EXPECT_THROW((void)chosen(problem, {{0, 0}, {0, 0, price}}), Error);
    LevelCosts named;
    named.levels.set("no_such_level", {0, price});
    EXPECT_THROW((void)chosen(problem, named), Error);
  }
}

TEST(Planned, prices_that_lead_to_different_ways_are_refused) {
  if (world_size() < 4) GTEST_SKIP();
  // All to all on two nodes: one message a node where messages are dear, direct where bytes are.
  Case problem = random_case(1);
  problem.machine = Machine::of_nodes(Runs(Counts{world_size() / 2, world_size() - world_size() / 2}));
  problem.grid = Grid({world_size()}, periodic(1));
  problem.offsets = Stencil(std::vector<Offset>{{1}, {-1}, {2}, {-2}, {3}});
  problem.bytes.assign(5, 1000);
  problem.operation = Operation::alltoall;
  problem.shared = true;
  const LevelCosts dear_messages{{0, 0}, {1e-3, 1e-12}}, dear_bytes{{0, 1e-6}, {1e-9, 1e-12}};
  EXPECT_NE(chosen(problem, dear_messages), "direct");
  EXPECT_EQ(chosen(problem, dear_bytes), "direct");
  EXPECT_THROW((void)chosen(problem, world_rank() == 0 ? dear_messages : dear_bytes), Error);
  // And where one process alone has prices of levels.
  const Count nodes = problem.machine.nodes();
  problem.machine = Machine({{"switch", Runs::of(1, 1)},
                             {"node", Runs::of(1, nodes)},
                             {"core", problem.machine.levels().back().children}});
  LevelCosts near = dear_messages;
  near.levels.set("switch", dear_bytes.between_nodes);
  near.on_node = dear_bytes.on_node;
  EXPECT_EQ(chosen(problem, near), "direct");
  EXPECT_THROW((void)chosen(problem, world_rank() == 0 ? dear_messages : near), Error);
}

}  // namespace
}  // namespace halocline::exchange_planned_tests
