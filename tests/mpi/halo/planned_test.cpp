// What communicators, halos and exchanges do by themselves is what `halocline plan` says of the same problem.
// More cases:
//   HALOCLINE_SECONDS=600 mpirun -n 8 build/release/bin/mpi_tests --files=halo/planned

#include "exchange/planning/create.hpp"
#include "halo/random_plans.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/mpi/cart.hpp"
#include "plan/options/option_names.hpp"
#include "support/random_levels.hpp"

namespace halocline::halo_planned_tests {
namespace {

CartOptions options_of(const PlannedCase& planned) {
  return {.algorithm = planned.given.choices.grid.algorithm,
          .network = planned.network(),
          .allocation = planned.allocation_path(),
          .mapping = planned.given.choices.network.variant};
}

ExchangeOptions exchange_options(const PlannedCase& planned) {
  ExchangeOptions options;
  options.schedule = ScheduleChoice::automatic;
  options.costs = planned.given.choices.prices;
  return options;
}

struct CppPlans {
  using Cart = halocline::Cart;
  static plan::Plan expected(const plan::RandomProblem& given) {
    return plan::make_plan(given.problem, given.choices);
  }
  static Cart cart(MPI_Comm world, const PlannedCase& planned) {
    const plan::Problem& problem = planned.problem();
    CartOptions options = options_of(planned);
    options.halo = problem.halo;
    options.fixed = problem.fixed;
    return {world, problem.mesh, problem.stencil, options};
  }
  static std::string schedule(const Cart& cart, const PlannedCase& planned, const Stencil& directions) {
    std::vector<FieldStorage> fields;
    std::vector<FieldView> views;
    for (Count i = 0; i < planned.problem().fields; ++i) {
      fields.emplace_back(cart, planned.element(),
                          FieldOptions{.halo = planned.halo(), .shared = i % 2 == 0});
      views.push_back(fields.back().view());
    }
    const HaloOptions options{.directions = directions, .exchange = exchange_options(planned)};
    return Halo(cart, views, options).exchanged().schedule();
  }
};

TEST(Planned, communicators_and_halos_do_what_the_plan_says) {
  compare_halos_with_plans<CppPlans>("planned halos", 1, world_size() > 4 ? 4 : 8, 0.5);
}

/// That of an exchange of the blocks that the plan describes.
std::string schedule_of(const Cart& cart, const PlannedCase& planned) {
  plan::Problem problem = planned.problem();
  problem.stencil = plan::that_sends(problem.stencil, planned.halo());
  const Decomposition& decomposition = *cart.decomposition();
  const Grid& grid = cart.grid();
  const PlannedBlocks blocks(problem, decomposition, planned.halo());
  const Layout byte = Layout::named(Elementary::byte);
  std::vector<std::vector<std::byte>> memory;
  exchange::Ends ends;
  const auto block = [&](Count bytes) {
    memory.emplace_back(static_cast<std::size_t>(bytes) + 1);
    return Block{memory.back().data(), byte, bytes};
  };
  for (std::size_t i = 0; i < problem.stencil.size(); ++i) {
    Offset back;
    for (const Count step : problem.stencil.offsets()[i]) back.push_back(-step);
    const Count source = grid.index_at(cart.cell(), back);
    ends.send.push_back(block(blocks.bytes(cart.cell(), i)));
    ends.receive.push_back(block(source == Lattice::nowhere ? 0 : blocks.bytes(grid.cell(source), i)));
  }
  if (decomposition.even())
    ends.receive = ends.send;
  else
    ends.sizes = [&](Rank writer, int number) {
      return blocks.bytes(grid.cell(writer), static_cast<std::size_t>(number));
    };
  const Neighborhood neighborhood(cart.comm(), problem.stencil);
  return exchange::create(
             neighborhood, Operation::alltoall, [&] { return ends; }, exchange_options(planned))
      .schedule();
}

/// The same nodes with other levels around them, some of which have prices.
plan::RandomProblem with_levels(plan::RandomProblem given, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  given.problem.machine = with_random_levels(random, given.problem.machine);
  given.choices.prices = with_random_level_prices(random, given.choices.prices);
  return given;
}

void compare_exchange(std::uint64_t seed, bool levels) {
  const plan::RandomProblem given = plan::RandomProblems(seed, world_size()).any();
  const PlannedCase planned = planned_case(levels ? with_levels(given, seed) : given);
  SCOPED_TRACE(planned.given.to_text());
  const auto plan = unless_refused([&] { return CppPlans::expected(planned.given); });
  const DescribedMachine described(planned.problem().machine.to_text());
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  const auto cart = unless_refused([&] { return CppPlans::cart(world.get(), planned); });
  ASSERT_TRUE(cart || !plan) << "the communicator is refused, the plan is not";
  if (!plan) return;
  ASSERT_EQ(cart->grid().to_text(), plan->grid.to_text());
  ASSERT_EQ(cart->algorithm(), plan->placed_by);
  ASSERT_EQ(cart->cell(), plan->placement.cell(world_rank()));
  ASSERT_EQ(schedule_of(*cart, planned), plan->schedule);
}

TEST(Planned, communicators_and_exchanges_along_any_stencil_do_what_the_plan_says) {
  Trials trials("planned exchanges on meshes", 100001, 8, 0.25);
  while (trials.next()) {
    SCOPED_TRACE(testing::Message() << trials);
    compare_exchange(trials.seed(), false);
  }
}

TEST(Planned, exchanges_go_by_the_prices_of_levels) {
  Trials trials("planned exchanges with prices of levels", 300001, 12, 0.25);
  while (trials.next()) {
    SCOPED_TRACE(testing::Message() << trials);
    compare_exchange(trials.seed(), true);
  }
}

/// A grid that the program has chosen, of some of the processes perhaps.
void compare_grid(std::uint64_t seed) {
  plan::RandomProblems problems(seed, world_size());
  const PlannedCase planned = planned_case(problems.any());
  const Grid grid = RandomGrids::grid_within(world_size(), problems.random());
  const Stencil stencil = RandomGrids::offsets(grid.dimensions(), problems.random());
  SCOPED_TRACE(grid.to_text() + " by " + stencil.to_text() + "; " + planned.given.to_text());
  const auto expected = expected_placement(planned, grid, stencil);
  const DescribedMachine described(planned.problem().machine.to_text());
  const mpi::Comm world = shuffled_world(static_cast<unsigned>(seed));
  const auto cart = unless_refused([&] { return Cart(world.get(), grid, stencil, options_of(planned)); });
  ASSERT_EQ(cart.has_value(), expected.has_value());
  if (!cart) return;
  ASSERT_EQ(cart->algorithm(), expected->algorithm);
  ASSERT_EQ(cart->takes_part(), world_rank() < grid.size());
  if (cart->takes_part()) {
    ASSERT_EQ(cart->cell(), expected->placement.cell(world_rank()));
  }
}

TEST(Planned, grids_are_placed_as_the_plan_says) {
  Trials trials("planned grids", 200001, 8, 0.25);
  while (trials.next()) {
    SCOPED_TRACE(testing::Message() << trials);
    compare_grid(trials.seed());
  }
}

}  // namespace
}  // namespace halocline::halo_planned_tests
