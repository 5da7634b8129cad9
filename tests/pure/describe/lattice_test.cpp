#include "halocline/describe/lattice.hpp"

#include "base/fail.hpp"
#include "expect_error.hpp"
#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/mesh.hpp"

#include <limits>
#include <set>

namespace halocline {
namespace {

std::vector<Grid> small_grids() {
  std::vector<Grid> grids;
  for (Count x = 1; x <= 4; ++x)
    for (Count y = 1; y <= 4; ++y)
      for (int flags = 0; flags < 4; ++flags) {
        grids.push_back(Grid({x, y}, periodic(flags & 1, flags & 2)));
        grids.push_back(Grid({x, y, 3}, periodic(flags & 1, flags & 2, flags & 1)));
      }
  return grids;
}

TEST(Lattice, index_and_cell_are_inverse_and_row_major) {
  for (const Grid& grid : small_grids()) {
    Cell before;
    for (Count index = 0; index < grid.size(); ++index) {
      const Cell cell = grid.cell(index);
      EXPECT_EQ(grid.index(cell), index);
      EXPECT_TRUE(before.empty() || before < cell);
      before = cell;
    }
  }
}

TEST(Lattice, neighbours_wrap_where_periodic_and_end_where_open) {
  for (const Grid& grid : small_grids())
    for (Count index = 0; index < grid.size(); ++index)
      for (Count step = -9; step <= 9; ++step)
        for (std::size_t d = 0; d < grid.dimensions(); ++d) {
          const Cell cell = grid.cell(index);
          Offset offset(grid.dimensions(), 0);
          offset[d] = step;
          const auto neighbour = grid.neighbor(cell, offset);
          const Count target = cell[d] + step;
          const bool inside = 0 <= target && target < grid.extents()[d];
          ASSERT_EQ(neighbour.has_value(), inside || grid.periodic(d));
          if (!neighbour) continue;
          EXPECT_EQ(((*neighbour)[d] - target) % grid.extents()[d], 0);
          EXPECT_TRUE(0 <= (*neighbour)[d] && (*neighbour)[d] < grid.extents()[d]);
        }
}

TEST(Lattice, far_offsets_do_not_overflow) {
  const Count far = INT64_MAX;
  const Grid grid({7, 5}, periodic(1, 0));
  EXPECT_EQ(grid.neighbor(Cell{6, 2}, Offset{far, 0}), (Cell{(6 + far % 7) % 7, 2}));
  EXPECT_EQ(grid.neighbor(Cell{6, 2}, Offset{0, far}), std::nullopt);
  EXPECT_EQ(grid.neighbor(Cell{6, 2}, Offset{0, -far}), std::nullopt);
  // Where twice the extent would leave 64 bits, too.
  const Mesh line({far}, {true});
  EXPECT_EQ(line.neighbor(Cell{far - 1}, Offset{far - 1}), Cell{far - 2});
  EXPECT_EQ(line.neighbor(Cell{far - 1}, Offset{far}), Cell{far - 1});
  EXPECT_EQ(line.neighbor(Cell{0}, Offset{-1}), Cell{far - 1});
}

TEST(Lattice, text_round_trips) {
  for (const Grid& grid : small_grids()) EXPECT_EQ(Grid::parse(grid.to_text()), grid) << grid.to_text();
  EXPECT_EQ(Mesh({1000, 1100, 950}, periodic(1, 1, 0)).to_text(), "1000x1100x950 periodic:1,1,0");
  EXPECT_EQ(Mesh::parse("3037000499x3037000499").size(), 9223372030926249001);
  EXPECT_EQ(Mesh::parse("8x8 periodic:all"), Mesh({8, 8}, periodic(1, 1)));
  EXPECT_EQ(Mesh::parse("8x8 periodic:none"), Mesh({8, 8}));
}

TEST(Lattice, refuses_nonsense) {
  const auto parse = [](const char* text) { return [text] { (void)Grid::parse(text); }; };
  expect_error(Fault::invalid_dimensions, parse("0x4"), "grid extent 0 is not positive");
  expect_error(Fault::invalid_dimensions, parse("4x-1"), "grid extent -1");
  expect_error(Fault::invalid_dimensions, parse("4294967296x2147483648"), "grid too large", "64 bits");
  expect_error(
      Fault::invalid_dimensions, [] { (void)Mesh({}); }, "mesh needs at least one dimension");
  expect_error(
      Fault::invalid_dimensions,
      [] {
        (void)Mesh({2, 2}, periodic(1));
      },
      "2 dimensions but 1 flags");
  for (const char* text :
       {"", "x", "4x", "4x4 ", "4x4 torus", "4x4 periodic:1", "4x4 periodic:1,2", "4x4,3", "4.5x2"})
    expect_error(Fault::invalid_argument, parse(text), concat("grid \"", text, "\""), "looks like");
  expect_error(
      Fault::invalid_argument, [] { (void)parse_periodicity("1,0,1", 2); }, "3 flags for 2 dimensions");
}

TEST(Decomposition, of_as_many_points_as_can_be_counted) {
  constexpr Count all_there_are = std::numeric_limits<Count>::max();
  EXPECT_EQ(Decomposition(Mesh({all_there_are}), Grid({1})).slabs(), (std::vector<Counts>{{all_there_are}}));
  EXPECT_EQ(Decomposition(Mesh({all_there_are}), Grid({2})).slabs(),
            (std::vector<Counts>{{all_there_are / 2 + 1, all_there_are / 2}}));
}

}  // namespace
}  // namespace halocline
