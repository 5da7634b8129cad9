// Random neighbourhoods: every way to exchange delivers every block, and touches nothing else.

#include "exchange/trial.hpp"
#include "support/option_words.hpp"
#include "support/random_grids.hpp"
#include "support/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace halocline::exchange_random_exchange_tests {
namespace {

ExchangeOptions random_options(Random& random) {
  const std::vector<std::string> wires{"packed", "datatype", "auto"};
  const std::vector<std::string> sharing{"on", "on", "buffered", "off"};
  const std::string schedule =
      schedules[static_cast<std::size_t>(random_in(random, 0, static_cast<Count>(schedules.size()) - 1))];
  const std::string wire = wires[static_cast<std::size_t>(random_in(random, 0, 2))];
  ExchangeOptions options =
      options_of_words(schedule, wire, sharing[static_cast<std::size_t>(random_in(random, 0, 3))]);
  // So that "mixed" has short and long ones.
  options.costs.emplace().between_nodes.round_seconds *=
      std::ldexp(1, -static_cast<int>(random_in(random, 0, 12)));
  // And so that messages wait until others have gone.
  if (random_in(random, 0, 1) == 0)
    options.costs->between_nodes.byte_seconds *= std::ldexp(1, static_cast<int>(random_in(random, 0, 36)));
  return options;
}

/// Up to three exchanges in flight, four times over.
void expect_delivered(std::uint64_t seed) {
  Random common(seed * 64 + static_cast<unsigned>(world_size())),
      own(seed * 31 + static_cast<unsigned>(world_rank()));
  const std::string machine = RandomGrids::machine(world_size(), common);
  const DescribedMachine described(machine);
  const Grid grid = RandomGrids::grid_within(world_size(), common);
  const Stencil offsets = RandomGrids::offsets(grid.dimensions(), common);
  const mpi::Comm fresh = mpi::split(MPI_COMM_WORLD, 0, static_cast<int>(random_in(own, 0, 100)));
  const mpi::Comm cart = make_cart(fresh.get(), grid);
  if (!cart) return;
  const Neighborhood neighborhood(cart.get(), offsets);
  std::vector<Trial> some;
  std::string what;
  some.reserve(3);
  const Count in_flight = random_in(common, 1, 3);
  for (Count i = 0; i < in_flight; ++i) {
    const ExchangeOptions options = random_options(common);
    const auto operation = random_in(common, 0, 1) == 0 ? Operation::alltoall : Operation::allgather;
    what += (what.empty() ? "" : " and ") + named(grid, offsets, machine, options);
    some.emplace_back(neighborhood, mpi::rank(cart.get()), operation, options, common, own);
  }
  for (Count start = 0; start < 4; ++start) {
    for (Trial& each : some) each.start(start);
    // Each process completes them in an order of its own.
    std::vector<std::size_t> order(some.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), own);
    for (const std::size_t i : order) {
      if (random_in(own, 0, 1) == 0)
        while (!some[i].exchange().test()) {
        }
      some[i].exchange().wait();
      EXPECT_EQ(some[i].wrong(), -1) << "start " << start << " exchange " << i << ": " << what;
    }
  }
}

TEST(RandomExchange, delivers_every_block_and_touches_nothing_else) {
  // Between nodes that are names of one machine messages take their time.
  Trials trials("random neighbourhoods", 20261115, 90);
  while (trials.next()) expect_delivered(trials.seed());
}

}  // namespace
}  // namespace halocline::exchange_random_exchange_tests
