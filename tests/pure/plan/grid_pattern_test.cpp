#include "plan/pattern/grid_pattern.hpp"

#include "plan/traffic_of_grids.hpp"
#include "tried.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace halocline::plan {
namespace {

struct Explained {
  Count bytes = 0;
  Count absent = 0;
};

/// Counted without the code that is tested: the bytes of pairs that are an offset apart, and offsets that
/// nobody uses.
Explained counted(const GridPattern& pattern, const MessageMatrix& matrix) {
  std::map<std::pair<Rank, Rank>, Count> bytes;
  matrix.for_each([&](std::size_t source, std::size_t target, Count n) {
    bytes[{to_count(source), to_count(target)}] = n;
  });
  Numbering rank_at(pattern.cell_of.size(), -1);
  for (std::size_t rank = 0; rank < rank_at.size(); ++rank) {
    EXPECT_EQ(rank_at.at(to_size(pattern.cell_of[rank])), -1) << "two ranks in a cell";
    rank_at.at(to_size(pattern.cell_of[rank])) = to_count(rank);
  }
  std::set<std::pair<Rank, Rank>> seen;
  Explained sum;
  for (const auto& entry : traffic(pattern.grid, pattern.stencil, rank_at)) {
    EXPECT_TRUE(seen.insert({entry.source, entry.target}).second) << "two offsets lead to the same cell";
    const auto found = bytes.find({entry.source, entry.target});
    if (found == bytes.end())
      ++sum.absent;
    else
      sum.bytes += found->second;
  }
  return sum;
}

/// Recognised, and all of the claims are true; explains as much as the grid that it was made of, or more.
testing::AssertionResult recognised(const MessageMatrix& matrix, Count known_bytes) {
  const auto pattern = grid_pattern(matrix);
  if (!pattern) return testing::AssertionFailure() << "no grid";
  const Explained sum = counted(*pattern, matrix);
  if (sum.bytes != pattern->explained_bytes || sum.absent != pattern->absent)
    return testing::AssertionFailure()
           << "claims " << pattern->explained_bytes << " bytes and " << pattern->absent << " absent, counted "
           << sum.bytes << " and " << sum.absent;
  if (pattern->explained_bytes < known_bytes)
    return testing::AssertionFailure()
           << pattern->grid.to_text() << " explains " << pattern->explained_bytes << " of " << known_bytes;
  return testing::AssertionSuccess() << pattern->grid.to_text();
}

Count bytes_of(const Entries& entries) {
  Count sum = 0;
  for (const auto& entry : entries)
    if (entry.source != entry.target) sum += entry.bytes;
  return sum;
}

GridPattern pattern_of(const Grid& grid, const Stencil& stencil, const Numbering& ranks) {
  const auto pattern = grid_pattern(MessageMatrix(grid.size(), traffic(grid, stencil, ranks)));
  EXPECT_TRUE(pattern) << grid.to_text() << " " << stencil.to_text();
  return pattern.value_or(GridPattern{Grid({1}), Stencil::nearest(1), {}, {}});
}

TEST(GridPattern, numberings_have_names) {
  const Grid grid({8, 12, 4}), cube({8, 8, 8});
  for (const Stencil& stencil : {Stencil::nearest(3), Stencil::moore(3, 1), eighteen()}) {
    SCOPED_TRACE(stencil.to_text());
    const GridPattern rows = pattern_of(grid, stencil, row_by_row(grid));
    EXPECT_EQ(rows.numbering, "row-major");
    EXPECT_EQ(rows.grid, grid);
    EXPECT_EQ(rows.stencil.size(), stencil.size());
    // The same as row by row on the grid with its dimensions the other way round.
    EXPECT_EQ(pattern_of(grid, stencil, column_by_column(grid)).grid, Grid({4, 12, 8}));
    const GridPattern boxes = pattern_of(grid, stencil, box_by_box(grid, {2, 3, 2}));
    EXPECT_EQ(boxes.numbering, "boxes 2x3x2");
    EXPECT_EQ(boxes.grid, grid);
    EXPECT_EQ(pattern_of(cube, stencil, along_z(cube)).numbering, "Morton order");
  }
  std::mt19937_64 random(1);
  EXPECT_EQ(pattern_of(grid, Stencil::nearest(3), shuffled(grid, random)).numbering, "");
}

TEST(GridPattern, weights_are_the_bytes_of_an_offset) {
  const Grid grid({6, 5}, periodic(1, 0));
  const Stencil stencil({{1, 0}, {-1, 0}, {0, 1}}, {100, 50, 7});
  const GridPattern pattern = pattern_of(grid, stencil, row_by_row(grid));
  EXPECT_EQ(pattern.grid, grid);
  std::map<Offset, Count> found;
  for (std::size_t i = 0; i < pattern.stencil.size(); ++i)
    found[pattern.stencil.offsets()[i]] = pattern.stencil.weights()[i];
  EXPECT_EQ(found, (std::map<Offset, Count>{{{1, 0}, 100}, {{-1, 0}, 50}, {{0, 1}, 7}}));
}

/// A grid of so many dimensions that is not too large, its sides at least `least`.
Grid random_grid(std::size_t dimensions, Count least, Count least_ring, std::mt19937_64& random) {
  const Count most[] = {200, 18, 8, 5};
  Counts extents;
  Periodicity periodic;
  for (std::size_t d = 0; d < dimensions; ++d) {
    extents.push_back(
        std::uniform_int_distribution(least, std::max(least + 2, most[dimensions - 1]))(random));
    periodic.push_back(extents.back() >= least_ring && random() % 3 == 0);
  }
  return Grid(extents, periodic);
}

TEST(GridPattern, is_found_in_any_numbering) {
  for (std::uint64_t seed = 1; seed <= tried(120U); ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 4;
    const Grid grid = random_grid(dimensions, 2, 3, random);
    const Entries entries = traffic(grid, Stencil::nearest(dimensions), shuffled(grid, random));
    const MessageMatrix matrix(grid.size(), entries);
    if (grid.size() <= 3) continue;
    EXPECT_TRUE(recognised(matrix, bytes_of(entries))) << "seed " << seed << ": " << grid.to_text();
  }
}

TEST(GridPattern, is_found_with_stencils_that_have_corners_or_reach_further) {
  for (std::uint64_t seed = 1; seed <= tried(120U); ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 3;
    // Where a stencil reaches across half of a dimension, its steps cannot be told apart.
    const Count least_sides[] = {5, 7, 9, 5};
    const std::size_t kind = random() % 4;
    const Grid grid = random_grid(dimensions, least_sides[kind], least_sides[kind], random);
    const Stencil stencils[] = {Stencil::moore(dimensions, 1), Stencil::star(dimensions, 2),
                                Stencil::hops(dimensions),
                                dimensions == 3 ? eighteen() : Stencil::nearest(dimensions)};
    const Stencil& stencil = stencils[kind];
    const Entries entries = traffic(grid, stencil, shuffled(grid, random));
    const MessageMatrix matrix(grid.size(), entries);
    EXPECT_TRUE(recognised(matrix, bytes_of(entries)))
        << "seed " << seed << ": " << grid.to_text() << " " << stencil.to_text();
  }
}

TEST(GridPattern, is_found_row_by_row_with_any_stencil) {
  for (std::uint64_t seed = 1; seed <= tried(120U); ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 4;
    const Grid grid = random_grid(dimensions, 3, 5, random);
    const Stencil stencils[] = {Stencil::octant(dimensions, 1), Stencil::moore(dimensions, 1),
                                Stencil::star(dimensions, 2), Stencil::nearest(dimensions)};
    const Entries entries = traffic(grid, stencils[random() % 4], row_by_row(grid));
    const MessageMatrix matrix(grid.size(), entries);
    EXPECT_TRUE(recognised(matrix, bytes_of(entries))) << "seed " << seed << ": " << grid.to_text();
  }
}

/// Messages as halos have them: of a face its points, of an edge and a corner less.
Stencil halo_of(const Counts& local) {
  std::vector<Offset> offsets = Stencil::moore(local.size(), 1).offsets();
  Counts bytes;
  for (const Offset& offset : offsets) {
    Count points = 8;
    for (std::size_t d = 0; d < local.size(); ++d) points *= offset[d] == 0 ? local[d] : 1;
    bytes.push_back(points);
  }
  return Stencil(std::move(offsets), std::move(bytes));
}

TEST(GridPattern, noise_does_not_hide_it) {
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= tried(100U); ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 2 + random() % 2;
    const Grid grid = random_grid(dimensions, 6, 6, random);
    const bool corners = random() % 2 == 0;
    const Stencil stencil =
        corners ? halo_of(Counts(dimensions, 20))
                : Stencil(Stencil::nearest(dimensions).offsets(), Counts(2 * dimensions, 1000));
    Entries entries = traffic(grid, stencil, shuffled(grid, random));
    const Count known = bytes_of(entries);
    for (Rank rank = 1; rank < grid.size(); ++rank) entries.push_back({rank, 0, 16});
    for (Count i = 0; i < grid.size() / 20; ++i)
      entries.push_back(
          {to_count(random() % to_size(grid.size())), to_count(random() % to_size(grid.size())), 100});
    const MessageMatrix matrix(grid.size(), entries);
    // A message that does not belong there may tie a knot into a small grid.
    const auto result = recognised(matrix, known);
    if (!result && ++missed > tried(3))
      ADD_FAILURE() << result.message() << ", seed " << seed << ": " << grid.to_text()
                    << (corners ? " corners" : "");
  }
}

TEST(GridPattern, what_is_no_grid_is_refused) {
  const auto refused = [](Count ranks, Entries entries) {
    return !grid_pattern(MessageMatrix(ranks, std::move(entries))).has_value();
  };
  EXPECT_TRUE(refused(1, {}));
  EXPECT_TRUE(refused(10, {}));
  Entries all, star, tree;
  for (Rank a = 0; a < 30; ++a) {
    for (Rank b = 0; b < 30; ++b) all.push_back({a, b, 8});
    star.push_back({0, a, 8});
    tree.push_back({a, (a - 1) / 2, 8});
  }
  EXPECT_TRUE(refused(30, all)) << "everybody with everybody";
  EXPECT_TRUE(refused(30, star));
  EXPECT_TRUE(refused(30, tree));
  for (std::uint64_t seed = 1; seed <= tried(40U); ++seed) {
    std::mt19937_64 random(seed);
    const Count ranks = 40 + to_count(random() % 200);
    Entries entries;
    for (Rank a = 0; a < ranks; ++a)
      for (int i = 0; i < 4; ++i) entries.push_back({a, to_count(random() % to_size(ranks)), 8});
    EXPECT_TRUE(refused(ranks, entries)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace halocline::plan
