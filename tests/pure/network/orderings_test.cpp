#include "network/points/orderings.hpp"

#include "halocline/base/error.hpp"
#include "network/partition/partition.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace halocline::network {
namespace {

Counts parts_of_cube(std::size_t dimensions, unsigned bits, std::string_view name, const Cuts& cuts = {}) {
  const Grid grid(Counts(dimensions, Count{1} << bits));
  return partition(Points::of_grid(grid), grid.size(), ordering(name), cuts);
}

/// Bit k of the number is bit k / d of coordinate k % d.
template <class Code>
Count interleaved(const Cell& cell, unsigned bits, const Code& code) {
  Count number = 0;
  for (unsigned b = 0; b < bits; ++b)
    for (std::size_t d = 0; d < cell.size(); ++d) number |= (code(cell[d]) >> b & 1) << (b * cell.size() + d);
  return number;
}

struct Cube {
  std::size_t dimensions;
  unsigned bits;
};
constexpr Cube cubes[] = {{1, 1}, {1, 9}, {2, 1}, {2, 5}, {3, 3}, {4, 2}, {5, 2}, {10, 1}};

template <class Code>
void expect_formula(std::string_view name, const Code& code) {
  for (const auto [dimensions, bits] : cubes)
    for (const auto dimension : {Cuts::Dimension::longest, Cuts::Dimension::cyclic}) {
      const Grid grid(Counts(dimensions, Count{1} << bits));
      const Counts parts = parts_of_cube(dimensions, bits, name, {.dimension = dimension});
      for (Count i = 0; i < grid.size(); ++i)
        ASSERT_EQ(parts[static_cast<std::size_t>(i)],
                  interleaved(grid.cell(i), bits, [&, b = bits](Count x) { return code(x, b); }))
            << name << " in " << dimensions << " dimensions, cell " << i;
    }
}

TEST(Orderings, on_cubes_are_the_closed_formulas) {
  expect_formula("z", [](Count x, unsigned) { return x; });
  expect_formula("fz", [](Count x, unsigned) { return x ^ (x >> 1); });
  expect_formula("mfz", [](Count x, unsigned bits) { return x ^ (x >> 1) ^ ((Count{1} << (bits - 1)) - 1); });
}

TEST(Orderings, mfz_is_that_of_the_papers_figure_5) {
  const Counts parts = parts_of_cube(1, 6, "mfz");
  const Counts first{31, 30, 28, 29, 25, 24, 26, 27, 19, 18, 16, 17, 21, 20, 22, 23};
  EXPECT_EQ(Counts(parts.begin(), parts.begin() + 16), first);
  EXPECT_EQ(parts[32], 47);
  EXPECT_EQ(parts[63], 63);
}

TEST(Orderings, gray_is_the_gray_code_of_the_whole_number_along_a_line) {
  const Counts parts = parts_of_cube(1, 8, "gray");
  for (Count x = 0; x < 256; ++x) EXPECT_EQ(parts[static_cast<std::size_t>(x)], x ^ (x >> 1));
}

TEST(Orderings, hilbert_goes_from_neighbour_to_neighbour) {
  for (const auto [dimensions, bits] : cubes) {
    const Grid grid(Counts(dimensions, Count{1} << bits));
    const Counts parts = parts_of_cube(dimensions, bits, "hilbert");
    Counts cell_of(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      cell_of[static_cast<std::size_t>(parts[i])] = static_cast<Count>(i);
    for (std::size_t n = 1; n < cell_of.size(); ++n) {
      const Cell a = grid.cell(cell_of[n - 1]);
      const Cell b = grid.cell(cell_of[n]);
      Count apart = 0;
      for (std::size_t d = 0; d < dimensions; ++d) apart += std::abs(a[d] - b[d]);
      ASSERT_EQ(apart, 1) << dimensions << " dimensions of " << bits << " bits, step " << n;
    }
  }
}

TEST(Orderings, mfz_is_for_tasks_and_only_where_the_dimensions_are_a_multiple) {
  EXPECT_EQ(ordering_pair("mfz", 2, 4).tasks->name, "mfz");
  EXPECT_EQ(ordering_pair("mfz", 2, 4).cores->name, "fz");
  for (const auto& [tasks, cores] : {std::pair{2, 3}, {3, 3}, {4, 2}}) {
    const OrderingPair pair =
        ordering_pair("mfz", static_cast<std::size_t>(tasks), static_cast<std::size_t>(cores));
    EXPECT_EQ(pair.tasks->name, "fz");
    EXPECT_EQ(pair.cores->name, "fz");
  }
  EXPECT_EQ(ordering_pair("hilbert", 1, 2).tasks->name, "hilbert");
}

TEST(Orderings, have_names_of_their_own_and_unknown_ones_are_refused) {
  std::set<std::string_view> names;
  for (const Ordering& known : orderings()) {
    names.insert(known.name);
    EXPECT_EQ(&ordering(known.name), &known);
    EXPECT_FALSE(known.source.empty());
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"z", "gray", "fz", "mfz", "hilbert"}));
  try {
    (void)ordering("peano");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hilbert"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("peano"), std::string::npos);
  }
}

}  // namespace
}  // namespace halocline::network
