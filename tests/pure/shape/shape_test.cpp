#include "shape/shape.hpp"

#include "shape/choose.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace halocline {
namespace {

/// The links of neighbouring cells by the outermost level at which their ranks part, for groups of the given
/// sizes, outermost first: {between nodes, between CPUs of a node, inside a CPU}.
template <class RankOf>
std::array<int, 3> links(const Grid& grid, const std::array<Count, 2>& group_sizes, RankOf rank_of) {
  std::array<int, 3> found{};
  for (Count index = 0; index < grid.size(); ++index)
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      Offset step(grid.dimensions(), 0);
      step[d] = 1;
      const Cell cell = grid.cell(index);
      const auto neighbour = grid.neighbor(cell, step);
      if (!neighbour) continue;
      const Rank a = rank_of(cell);
      const Rank b = rank_of(*neighbour);
      std::size_t level = 0;
      while (level < 2 && a / group_sizes[level] == b / group_sizes[level]) ++level;
      ++found[level];
    }
  return found;
}

TEST(Shape, renumbering_brings_neighbours_together_as_in_the_paper) {
  const auto problem = shape::Problem::for_mesh({9, 4, 6}, Mesh({12, 18}));
  const Shape shape = shape::by_levels(problem);
  EXPECT_EQ(shape.levels, (std::vector<Counts>{{3, 3}, {2, 2}, {2, 3}}));
  const Grid grid = shape.grid();
  ASSERT_EQ(grid.extents(), (Counts{12, 18}));
  const auto sequential = [&](const Cell& cell) { return grid.index(cell); };
  const auto renumbered = [&](const Cell& cell) { return shape.rank(cell); };
  EXPECT_EQ(links(grid, {24, 6}, sequential), (std::array{150, 72, 180}));
  EXPECT_EQ(links(grid, {24, 6}, renumbered), (std::array{60, 90, 252}));
}

TEST(Shape, numbers_cells_as_the_papers_picture_does) {
  const Shape shape{{{3, 3}, {2, 2}, {2, 3}}};
  EXPECT_EQ(shape.rank(Counts{0, 0}), 0);
  EXPECT_EQ(shape.rank(Counts{0, 3}), 6);
  EXPECT_EQ(shape.rank(Counts{0, 6}), 24);
  EXPECT_EQ(shape.rank(Counts{1, 0}), 3);
  EXPECT_EQ(shape.rank(Counts{2, 0}), 12);
  EXPECT_EQ(shape.rank(Counts{3, 11}), 47);
  EXPECT_EQ(shape.rank(Counts{4, 0}), 72);
  EXPECT_EQ(shape.rank(Counts{11, 17}), 215);
}

TEST(Shape, cell_and_rank_are_inverse) {
  for (const Shape& shape : {Shape{{{5, 25, 5}, {2, 1, 1}, {3, 1, 4}}}, Shape{{{7}}}, Shape{{{2, 3, 1, 2}}},
                             Shape{{{1, 1}, {1, 6}, {4, 1}}}}) {
    const Grid grid = shape.grid();
    std::set<Count> cells;
    for (Rank rank = 0; rank < grid.size(); ++rank) {
      const Cell cell = shape.cell(rank);
      cells.insert(grid.index(cell));
      ASSERT_EQ(shape.rank(cell), rank);
    }
    EXPECT_EQ(static_cast<Count>(cells.size()), grid.size());
  }
}

TEST(Shape, of_one_level_numbers_row_by_row) {
  const Shape shape{{{3, 4, 5}}};
  const Grid grid = shape.grid(periodic(1, 0, 1));
  EXPECT_TRUE(grid.periodic(0));
  for (Rank rank = 0; rank < grid.size(); ++rank) EXPECT_EQ(shape.cell(rank), grid.cell(rank));
}

}  // namespace
}  // namespace halocline
