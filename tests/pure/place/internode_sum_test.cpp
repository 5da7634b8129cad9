#include "place/cost/internode_sum.hpp"

#include "halocline/base/error.hpp"
#include "place/algorithms.hpp"
#include "place/cost/cost.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

namespace halocline::place {
namespace {

/// Exact up to the limit, and never given up on too early: the least of all sums is the hardest to bound.
void expect_sums(const Problem& problem) {
  InternodeSum internode_sum(problem);
  for (const Algorithm& algorithm : algorithms()) {
    const Placement placement = algorithm.place(problem);
    const Count sum = node_cost(problem, placement).total.bytes;
    ASSERT_EQ(internode_sum.within(placement, sum), sum) << algorithm.name << ": " << text(problem);
    ASSERT_EQ(internode_sum.within(placement, sum - 1), std::nullopt)
        << algorithm.name << ": " << text(problem);
  }
}

TEST(InternodeSum, is_exact_on_small_grids) { for_each_small_problem(5, expect_sums); }
TEST(InternodeSum, is_exact_on_random_grids) { for_each_random_problem(100, expect_sums); }

TEST(InternodeSum, is_exact_where_nodes_are_ideal_boxes) {
  for (const char* const stencil : {"nearest", "hops", "component", "star:2", "moore:1", "octant:2",
                                    "1,1;2,-1", "1,0*5;-1,0*5;0,1*2;0,-1*2"})
    for (const char* const nodes : {"100x16", "25x64", "4x400", "1x1600", "50x16,50x8,40x10"})
      for (const char* const grid : {"40x40", "40x40 periodic:1,1", "80x20", "1600x1", "1x1600 periodic:0,1"})
        expect_sums(make_problem(grid, nodes, stencil));
  for (const char* const stencil : {"nearest", "component", "moore:1"})
    for (const char* const nodes : {"64x8", "8x64", "512x1", "32x8,32x8"})
      expect_sums(make_problem("8x8x8 periodic:0,1,0", nodes, stencil));
}

TEST(InternodeSum, is_exact_in_wide_words) {
  for_each_random_problem(30, [](const Problem& problem) {
    Counts weights = problem.stencil().weights();
    for (Count& weight : weights) weight *= Count{1} << 33;
    expect_sums({problem.grid(), Stencil(problem.stencil().offsets(), weights), problem.machine()});
  });
}

TEST(InternodeSum, refuses_other_grids_and_overflow) {
  const Problem problem = make_problem("4x4", "4x4", "nearest"),
                other = make_problem("2x8", "4x4", "nearest");
  InternodeSum internode_sum(problem);
  EXPECT_THROW((void)internode_sum.within(algorithm("blocked").place(other), 100), Error);
  const Problem heavy(Grid({4, 4}), Stencil({{0, 1}}, {Count{1} << 61}), Machine::of_nodes(Runs::of(4, 4)));
  EXPECT_THROW(InternodeSum{heavy}, Error);
}

}  // namespace
}  // namespace halocline::place
