#include "place/levels.hpp"

#include "place/algorithms.hpp"
#include "place/cost/cost.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

namespace halocline::place {
namespace {

TEST(Levels, as_good_as_planning_each_level) {
  const Problem problem(Grid({50, 48}), Stencil::nearest(2), Machine::of_levels({50, 2, 2, 2, 6}));
  const Placement placement = place_inside_nodes(problem, algorithm("optimal-strips").place(problem));
  const Cost result = cost(problem, placement);
  Counts sums;
  for (std::size_t level = 0; level < 4; ++level) sums.push_back(result.levels[level].total.bytes);
  EXPECT_EQ(sums, (Counts{1204, 1804, 2604, 3804}));
}

TEST(Levels, keep_every_node_where_it_was) {
  std::mt19937_64 random(99);
  for (int i = 0; i < 40; ++i) {
    const std::size_t dimensions = 1 + random() % 3;
    Counts extents(dimensions);
    for (Count& extent : extents) extent = 1 + static_cast<Count>(random() % (dimensions == 1 ? 200 : 12));
    const Grid grid(extents, random_periodicity(dimensions, random));
    const Runs nodes = random_sizes(grid.size(), 24, random);
    // packages of uneven sizes inside uneven nodes
    Counts packages, cores;
    for (Count node = 0; node < nodes.size(); ++node) {
      const Runs inside = random_sizes(nodes[node], 7, random);
      packages.push_back(inside.size());
      for (Count package = 0; package < inside.size(); ++package) cores.push_back(inside[package]);
    }
    const Machine machine(
        {{"node", Runs::of(1, nodes.size())}, {"package", Runs(packages)}, {"core", Runs(cores)}});
    const Problem problem(grid, family(random(), dimensions, random), machine);
    for (const std::string name : {"optimal-strips", "random"}) {
      const Placement outer = algorithm(name).place(problem);
      const Placement inner = bisect_nodes(problem, outer);
      std::vector<bool> owned(static_cast<std::size_t>(grid.size()), false);
      for (Rank rank = 0; rank < grid.size(); ++rank) {
        const Cell cell = inner.cell(rank);
        ASSERT_EQ(inner.rank(cell), rank) << text(problem);
        ASSERT_EQ(machine.node_of(outer.rank(cell)), machine.node_of(rank)) << text(problem);
        owned[static_cast<std::size_t>(grid.index(cell))] = true;
      }
      ASSERT_EQ(std::count(owned.begin(), owned.end(), true), grid.size()) << text(problem);
    }
  }
}

TEST(Levels, never_cost_more) {
  for (const std::string stencil : {"nearest", "hops", "moore:1", "octant:2"}) {
    const Problem problem(Grid({24, 20}), Stencil::parse(stencil, 2),
                          Machine::parse("node:12 package:2 numa:2 core:10"));
    const Placement outer = algorithm("optimal-strips").place(problem);
    const Cost before = cost(problem, outer), after = cost(problem, place_inside_nodes(problem, outer));
    EXPECT_EQ(before.node(), after.node());
    EXPECT_LE(after.levels[1].total.bytes, before.levels[1].total.bytes) << stencil;
  }
}

TEST(Levels, nothing_to_do_without_inner_groups) {
  const Problem problem = make_problem("6x6", "6x6", "nearest");
  const Placement outer = algorithm("strips").place(problem), inner = bisect_nodes(problem, outer);
  for (Rank rank = 0; rank < 36; ++rank) EXPECT_EQ(inner.cell(rank), outer.cell(rank));
}

}  // namespace
}  // namespace halocline::place
