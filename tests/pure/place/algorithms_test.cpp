#include "place/algorithms.hpp"

#include "halocline/base/error.hpp"
#include "place/cost/cost.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace halocline::place {
namespace {

/// Every rank has a cell of its own, and the three ways to ask agree.
void expect_bijection(const Problem& problem, const Algorithm& algorithm) {
  const Placement placement = algorithm.place(problem);
  const Grid& grid = problem.grid();
  std::vector<Rank> owners(static_cast<std::size_t>(grid.size()));
  placement.ranks(0, owners);
  std::vector<bool> owned(owners.size(), false);
  Cell cell(grid.dimensions());
  for (Rank rank = 0; rank < grid.size(); ++rank) {
    placement.cell(rank, cell);
    for (std::size_t d = 0; d < cell.size(); ++d)
      ASSERT_TRUE(0 <= cell[d] && cell[d] < grid.extents()[d]) << algorithm.name << ": " << text(problem);
    const auto index = static_cast<std::size_t>(grid.index(cell));
    ASSERT_FALSE(owned[index]) << algorithm.name << ": " << text(problem) << " rank " << rank;
    owned[index] = true;
    ASSERT_EQ(placement.rank(cell), rank) << algorithm.name << ": " << text(problem);
    ASSERT_EQ(owners[index], rank) << algorithm.name << ": " << text(problem);
  }
  if (grid.size() > 4) {  // a stretch from the middle of one row to the middle of another
    std::vector<Rank> some(owners.size() / 2);
    placement.ranks(grid.size() / 3, some);
    for (std::size_t i = 0; i < some.size(); ++i)
      ASSERT_EQ(some[i], owners[static_cast<std::size_t>(grid.size() / 3) + i])
          << algorithm.name << ": " << text(problem);
  }
}

TEST(Algorithms, are_bijections_on_every_small_grid) {
  for_each_small_problem(6, [](const Problem& problem) {
    for (const Algorithm& algorithm : algorithms()) expect_bijection(problem, algorithm);
  });
}

TEST(Algorithms, are_bijections_on_random_grids) {
  for_each_random_problem(80, [](const Problem& problem) {
    for (const Algorithm& algorithm : algorithms()) expect_bijection(problem, algorithm);
  });
}

TEST(Algorithms, agree_with_the_reference_table) {
  const std::vector<std::pair<std::string, std::string>> instances{{"50x48", "50x48"}, {"75x64", "100x48"}};
  const std::vector<std::string> stencils{"nearest", "hops", "component"};
  using J = std::pair<Count, Count>;
  const std::map<std::string, std::vector<J>> table{
      {"blocked", {{4704, 96}, {13824, 288}, {4704, 96}, {9622, 98}, {28182, 290}, {9472, 96}}},
      {"hyperplane", {{1328, 38}, {3268, 108}, {288, 16}, {2802, 38}, {7362, 198}, {768, 32}}},
      {"kd-tree", {{1732, 46}, {4364, 114}, {96, 2}, {3490, 46}, {8834, 120}, {192, 2}}},
      {"strips", {{1244, 28}, {3868, 88}, {96, 2}, {2654, 30}, {7938, 88}, {192, 2}}},
      {"nodecart", {{2404, 50}, {11524, 242}, {2304, 48}, {3522, 38}, {18882, 198}, {3072, 32}}},
      {"optimal-strips", {{1204, 28}, {2868, 68}, {96, 2}, {2544, 30}, {6166, 68}, {192, 2}}},
  };
  for (const auto& [name, row] : table) {
    std::size_t column = 0;
    for (const auto& [grid, nodes] : instances)
      for (const std::string& stencil : stencils) {
        const Problem problem = make_problem(grid, nodes, stencil);
        const LevelCost cost = node_cost(problem, algorithm(name).place(problem));
        EXPECT_EQ(std::pair(cost.total.bytes, cost.largest.bytes), row[column++])
            << name << ": " << text(problem);
      }
  }
}

TEST(Algorithms, random_depends_on_the_seed_alone) {
  const Grid grid({30, 20});
  const Machine machine = Machine::of_nodes(Runs::of(60, 10));
  const Problem one(grid, Stencil::nearest(2), machine, 1), two(grid, Stencil::nearest(2), machine, 2);
  const auto cells = [](const Problem& problem) {
    std::vector<Rank> ranks(600);
    algorithm("random").place(problem).ranks(0, ranks);
    return ranks;
  };
  EXPECT_EQ(cells(one), cells(one));
  EXPECT_NE(cells(one), cells(two));
}

TEST(Algorithms, serve_the_largest_grid) {
  const Count most = std::numeric_limits<Count>::max();
  for (const Counts& extents : {Counts{most}, Counts{3037000499, 3037000499}}) {
    const Grid grid(extents);
    const Problem problem(grid, Stencil::nearest(extents.size()),
                          Machine::of_nodes(Runs::of(1, grid.size())));
    for (const std::string name : {"blocked", "random", "kd-tree"}) {
      const Placement placement = algorithm(name).place(problem);
      for (const Rank rank : {Rank{0}, Rank{12345678901}, grid.size() - 1})
        EXPECT_EQ(placement.rank(placement.cell(rank)), rank) << name;
    }
  }
}

TEST(Algorithms, serve_grids_of_many_dimensions) {
  // Those of one cell make no difference, however many there are.
  Counts extents(103, 1), few{8, 1, 6, 5};
  Periodicity periodic(103, false);
  extents[0] = 8, extents[51] = 6, extents[102] = 5;
  periodic[51] = true;
  const Machine machine = Machine::of_nodes(Runs::parse("11x20,2x10"));
  const Problem problem(Grid(extents, periodic), Stencil::nearest(103), machine);
  for (const Algorithm& algorithm : algorithms()) expect_bijection(problem, algorithm);
  const Problem same(Grid(few, {false, false, true, false}), Stencil::nearest(4), machine);
  EXPECT_EQ(cost(problem, algorithm("optimal-strips").place(problem)).j_sum(),
            cost(same, algorithm("optimal-strips").place(same)).j_sum());
}

TEST(Algorithms, refuse_what_does_not_fit) {
  EXPECT_THROW(make_problem("4x4", "3x5", "nearest"), Error);
  EXPECT_THROW(Problem(Grid({4, 4}), Stencil::nearest(3), Machine::of_nodes(Runs::of(4, 4))), Error);
  EXPECT_THROW((void)algorithm("best-of-all"), Error);
  const Placement placement = algorithm("blocked").place(make_problem("4x4", "4x4", "nearest"));
  EXPECT_THROW((void)placement.cell(-1), Error);
  EXPECT_THROW((void)placement.cell(16), Error);
  EXPECT_THROW((void)placement.rank({0, 4}), Error);
  EXPECT_THROW((void)placement.rank({0}), Error);
  std::vector<Rank> ranks(3);
  EXPECT_THROW(placement.ranks(14, ranks), Error);
}

}  // namespace
}  // namespace halocline::place
