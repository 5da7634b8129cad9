// What communicators and halos do by themselves is what `halocline plan` says of the same problem.

#include "halo/random_grounds.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/mpi/cart.hpp"
#include "halocline/plan/plan.hpp"
#include "support/random_prices.hpp"
#include "support/trials.hpp"

#include <gtest/gtest.h>

#include <map>

namespace halocline::halo_planned_tests {
namespace {

struct Case {
  plan::Problem problem;
  plan::Choices choices;
  std::string network;  ///< That the nodes are all of; or none.
};

/// The same on all processes for the same seed.
Case random_case(std::uint64_t seed) {
  Random random(seed);
  const auto dimensions = static_cast<std::size_t>(random_in(random, 1, 3));
  Counts nodes;
  for (Count left = world_size(); left > 0; left -= nodes.back())
    nodes.push_back(random_in(random, 1, random_in(random, 0, 1) == 0 ? std::min<Count>(left, 2) : left));
  Counts extents;
  for (std::size_t d = 0; d < dimensions; ++d)
    extents.push_back(world_size() * random_in(random, 2, 3) + random_in(random, 0, 1));
  const Stencil stencil =
      random_in(random, 0, 1) == 0 ? Stencil::nearest(dimensions) : Stencil::moore(dimensions, 1);
  Case result{
      {Mesh(extents, random_periods(dimensions, random)), stencil, Machine::of_nodes(Runs(nodes))}, {}, {}};
  result.problem.halo = Counts(dimensions, random_in(random, 1, 2));
  result.problem.fields = random_in(random, 1, 3);
  result.choices.prices = random_prices(random);
  if (random_in(random, 0, 1) == 0) return result;
  const Network ring = Network::torus({static_cast<Count>(nodes.size())});
  result.network = ring.to_text();
  result.problem.allocation = Allocation::whole(ring);
  return result;
}

/// That of the exchange of so many fields.
std::string schedule_of(const Cart& cart, const Case& problem) {
  std::vector<Field<double>> fields;
  std::vector<FieldView> views;
  for (Count i = 0; i < problem.problem.fields; ++i) {
    fields.emplace_back(cart, FieldOptions{.halo = HaloWidths(problem.problem.halo, problem.problem.halo)});
    views.push_back(fields.back());
  }
  HaloOptions options{.directions = problem.problem.stencil, .exchange = {}};
  options.exchange.schedule = "auto";
  options.exchange.costs = problem.choices.prices;
  return Halo(cart, views, options).exchanged().schedule();
}

TEST(Planned, CommunicatorsAndHalosDoWhatThePlanSays) {
  Trials trials("planned halos", 1, 30);
  std::map<std::string, int> seen;
  while (trials.next()) {
    const Case problem = random_case(trials.seed());
    SCOPED_TRACE(testing::Message() << trials << problem.problem.mesh.to_text() << ", "
                                    << problem.problem.machine.to_text());
    const plan::Plan plan = plan::make_plan(problem.problem, problem.choices);
    const DescribedMachine described(problem.problem.machine.to_text());
    const mpi::Comm world = shuffled_world(static_cast<unsigned>(trials.seed()));
    const Cart cart(world.get(), problem.problem.mesh, problem.problem.stencil,
                    {.network = problem.network.empty() ? "none" : problem.network}, problem.problem.halo);
    ASSERT_EQ(cart.grid().to_text(), plan.grid.to_text());
    ASSERT_EQ(cart.cell(), plan.placement.cell(world_rank()));
    ASSERT_EQ(schedule_of(cart, problem), plan.schedule);
    ++seen[plan.schedule];
  }
  if (world_size() >= 8) {
    EXPECT_GE(seen.size(), 2U) << "the cases are too much alike";
  }
}

}  // namespace
}  // namespace halocline::halo_planned_tests
