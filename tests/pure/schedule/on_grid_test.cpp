#include "schedule/on_grid.hpp"

#include "expect_error.hpp"
#include "schedule/cost.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <set>

namespace halocline::schedule {
namespace {

TEST(OnGrid, offsets_are_reduced_to_the_shortest) {
  const Grid grid({5, 4, 7}, periodic(1, 1, 0));
  const Stencil stencil = Stencil::parse("3,2,9*4;-3,-2,-9;5,-4,0;12,7,1;2,1,1", 3);
  const Stencil expected = Stencil::parse("-2,2,9*4;2,2,-9;0,0,0;2,-1,1;2,1,1", 3);
  EXPECT_EQ(reduced(stencil, grid), expected);
  EXPECT_EQ(reduced(Stencil::nearest(1), Grid({2}, periodic(1))), Stencil::parse("1;1", 1));
  EXPECT_EQ(reduced(Stencil::nearest(1), Grid({1}, periodic(1))), Stencil::parse("0;0", 1));
  expect_error(
      Fault::invalid_argument, [&] { (void)reduced(Stencil::nearest(2), grid); }, "2 components", "5x4x7");
}

TEST(OnGrid, reduced_offsets_lead_to_the_same_process) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 3;
    const Stencil stencil = random_neighbourhood(dimensions, 10, random);
    const Grid grid = random_grid(dimensions, random);
    const Stencil shorter = reduced(stencil, grid);
    for (Count cell = 0; cell < grid.size(); ++cell)
      for (std::size_t i = 0; i < stencil.size(); ++i)
        EXPECT_EQ(grid.neighbor(grid.cell(cell), stencil.offsets()[i]),
                  grid.neighbor(grid.cell(cell), shorter.offsets()[i]));
    for (const Offset& offset : shorter.offsets())
      for (std::size_t d = 0; d < dimensions; ++d)
        EXPECT_TRUE(!grid.periodic(d) ||
                    (-grid.extents()[d] < 2 * offset[d] && 2 * offset[d] <= grid.extents()[d]));
  }
}

Count rounds_on(const char* name, const Stencil& stencil, Operation operation, const Grid& grid) {
  return cost(on(algorithm(name).make(stencil, operation), grid)).rounds;
}

TEST(OnGrid, rounds_to_the_same_process_are_one) {
  const Grid twos({2, 2, 2}, periodic(1, 1, 1));
  const Stencil moore = Stencil::moore(3, 1);
  for (const Operation operation : operations) {
    EXPECT_EQ(rounds_on("direct", moore, operation, twos), 7);
    EXPECT_EQ(rounds_on("torus", moore, operation, twos), 3);
    EXPECT_EQ(rounds_on("torus-direct", moore, operation, twos), 3);
    EXPECT_EQ(rounds_on("direct", moore, operation, Grid({1, 2, 9}, periodic(1, 1, 0))), 5);
    EXPECT_EQ(rounds_on("torus", moore, operation, Grid({1, 1, 1}, periodic(1, 1, 1))), 0);
    EXPECT_EQ(rounds_on("torus", moore, operation, Grid({2, 2, 2})), 6);
    EXPECT_EQ(rounds_on("direct", Stencil::parse("1;1;2;1", 1), operation, Grid({9})), 2);
  }
}

TEST(OnGrid, a_round_is_put_off_until_others_can_join_it) {
  // The block to (0,-1) could go at once, but goes with the one to (1,1), to the same process.
  const Stencil stencil = Stencil::parse("0,-1;1,1", 2);
  const Grid grid({5, 2}, periodic(1, 1));
  EXPECT_EQ(cost(algorithm("torus").make(stencil, Operation::alltoall)).rounds, 3);
  EXPECT_EQ(rounds_on("torus", stencil, Operation::alltoall, grid), 2);
}

TEST(OnGrid, rounds_that_wait_for_each_other_stay_apart) {
  const Stencil far = Stencil::parse("3", 1);
  EXPECT_EQ(rounds_on("torus", far, Operation::alltoall, Grid({2}, periodic(1))), 3);
  EXPECT_EQ(cost(on(algorithm("torus"), far, Operation::alltoall, Grid({2}, periodic(1)))).rounds, 1);
}

/// On a torus every message has another receiver if all go at once.
TEST(OnGrid, direct_sends_one_message_to_each_process) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 3;
    const Stencil stencil = random_neighbourhood(dimensions, 15, random);
    const Grid open = random_grid(dimensions, random);
    const Grid grid(open.extents(), Periodicity(dimensions, true));
    std::set<Cell> others;
    for (const Offset& offset : stencil.offsets()) others.insert(*grid.neighbor(Cell(dimensions, 0), offset));
    others.erase(Cell(dimensions, 0));
    for (const Operation operation : operations)
      EXPECT_EQ(rounds_on("direct", stencil, operation, grid), static_cast<Count>(others.size()))
          << stencil.to_text() << " on " << grid.to_text();
  }
}

TEST(OnGrid, refuses_other_dimensions) {
  const Schedule schedule = algorithm("torus").make(Stencil::nearest(2), Operation::alltoall);
  expect_error(
      Fault::invalid_argument, [&] { (void)on(schedule, Grid({7})); }, "2 components", "7", "1 dimensions");
}

}  // namespace
}  // namespace halocline::schedule
