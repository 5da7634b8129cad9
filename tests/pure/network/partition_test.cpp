#include "network/partition/partition.hpp"

#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace halocline::network {
namespace {

/// Points with many ties, few ties or all in one place.
Points points_of_every_kind(std::mt19937_64& random, std::size_t size, std::size_t dimensions) {
  std::vector<std::vector<double>> columns(dimensions, std::vector<double>(size));
  for (auto& column : columns) {
    const auto kind = random() % 5;
    for (double& x : column) {
      const auto value = static_cast<double>(random() % 1000);
      if (kind == 0) x = 7;
      if (kind == 1) x = std::floor(value / 100) - 3;
      if (kind == 2) x = value;
      if (kind == 3) x = value * 0.1 - 40;
      if (kind == 4) x = std::exp(value / 50) * (random() % 2 == 0 ? 1 : -1);
    }
  }
  return Points(std::move(columns));
}

Counts sizes_of(const Counts& parts, Count count) {
  Counts sizes(static_cast<std::size_t>(count), 0);
  for (const Count part : parts) {
    EXPECT_GE(part, 0);
    EXPECT_LT(part, count);
    ++sizes[static_cast<std::size_t>(part)];
  }
  return sizes;
}

void expect_balanced(const Counts& parts, Count count) {
  const Counts sizes = sizes_of(parts, count);
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  EXPECT_LE(*most - *least, 1);
  EXPECT_GE(*least, 1);
}

TEST(Partition, every_part_gets_its_share) {
  std::mt19937_64 random(1);
  for (int sample = 0; sample < 400; ++sample) {
    SCOPED_TRACE(sample);
    const Points points = points_of_every_kind(random, 1 + random() % 300, 1 + random() % 5);
    const auto parts = static_cast<Count>(1 + random() % points.size());
    Cuts cuts;
    if (random() % 2 == 0) cuts.dimension = Cuts::Dimension::cyclic;
    cuts.largest_prime = random() % 2 == 0;
    for (const Ordering& order : orderings()) {
      expect_balanced(partition(points, parts, order, cuts), parts);
      if (order.dimension != nullptr) continue;
      Cuts deep = cuts;
      deep.depth = 1 + static_cast<Count>(random() % 4);
      expect_balanced(partition(points, parts, order, deep), parts);
    }
  }
}

TEST(Partition, of_many_points_is_balanced_too) {
  std::mt19937_64 random(2);
  for (const std::size_t dimensions : {1, 2, 3, 6}) {
    const Points points = points_of_every_kind(random, 20'011, dimensions);
    for (const Count parts : {1, 2, 7, 1000, 20'011})
      for (const Ordering& order : orderings()) expect_balanced(partition(points, parts, order), parts);
  }
}

/// Algorithm 2 of the paper as it stands there: coordinates are flipped, halves are sorted.
void reference_bisection(std::vector<std::vector<double>>& coordinates, Counts numbers, Count parts,
                         Count first_part, std::string_view order, Counts& part_of) {
  if (parts == 1) {
    for (const Count number : numbers) part_of[static_cast<std::size_t>(number)] = first_part;
    return;
  }
  const std::size_t dimensions = coordinates.size();
  const auto at = [&](std::size_t d, Count i) -> double& {
    return coordinates[d][static_cast<std::size_t>(i)];
  };
  std::size_t longest = 0;
  double most = -1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    double low = at(d, numbers[0]);
    double high = low;
    for (const Count i : numbers) {
      low = std::min(low, at(d, i));
      high = std::max(high, at(d, i));
    }
    if (high - low >= most) longest = d;
    most = std::max(most, high - low);
  }
  std::stable_sort(numbers.begin(), numbers.end(), [&](Count a, Count b) {
    for (std::size_t steps = 0; steps < dimensions; ++steps) {
      const std::size_t d = (longest + dimensions - steps) % dimensions;
      if (at(d, a) != at(d, b)) return at(d, a) < at(d, b);
    }
    return a < b;
  });
  const auto middle = static_cast<std::ptrdiff_t>(numbers.size() / 2);
  const Counts lower(numbers.begin(), numbers.begin() + middle);
  const Counts upper(numbers.begin() + middle, numbers.end());
  for (const Count i : order == "mfz" ? lower : upper)
    for (std::size_t d = 0; d < dimensions; ++d)
      if (order == "gray" || (order != "z" && d == longest)) at(d, i) = -at(d, i);
  reference_bisection(coordinates, lower, parts / 2, first_part, order, part_of);
  reference_bisection(coordinates, upper, parts / 2, first_part + parts / 2, order, part_of);
}

TEST(Partition, is_the_papers_algorithm_2) {
  std::mt19937_64 random(3);
  for (int sample = 0; sample < 200; ++sample) {
    const Count parts = Count{1} << random() % 7;
    const std::size_t size = static_cast<std::size_t>(parts) * (1 + random() % 4);
    const std::size_t dimensions = 1 + random() % 4;
    std::vector<std::vector<double>> columns(dimensions, std::vector<double>(size));
    for (auto& column : columns)
      for (double& x : column) x = static_cast<double>(random() % 16);
    for (const std::string_view name : {"z", "gray", "fz", "mfz"}) {
      auto coordinates = columns;
      Counts numbers(size);
      std::iota(numbers.begin(), numbers.end(), Count{0});
      Counts expected(size);
      reference_bisection(coordinates, numbers, parts, 0, name, expected);
      EXPECT_EQ(partition(Points(columns), parts, ordering(name)), expected) << name << ", sample " << sample;
    }
  }
}

TEST(Partition, cuts_the_longest_dimension_first) {
  const Counts parts = partition(Points::of_grid(Grid({2, 8})), 4, ordering("z"));
  EXPECT_EQ(parts, (Counts{0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3}));
  const Counts cyclic =
      partition(Points::of_grid(Grid({2, 8})), 4, ordering("z"), {.dimension = Cuts::Dimension::cyclic});
  EXPECT_EQ(cyclic, (Counts{0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 1, 1, 3, 3, 3, 3}));
}

TEST(Partition, by_levels_makes_the_pieces_asked_for) {
  const Grid grid({12, 12});
  const Counts parts = partition(Points::of_grid(grid), 12, ordering("z"), {.pieces = {4, 3}});
  for (Count i = 0; i < grid.size(); ++i)
    EXPECT_EQ(parts[static_cast<std::size_t>(i)], grid.cell(i)[1] / 3 * 3 + grid.cell(i)[0] / 4);
  // Two levels for twelve parts: again four by three.
  EXPECT_EQ(partition(Points::of_grid(grid), 12, ordering("z"), {.depth = 2}), parts);
  EXPECT_EQ(partition(Points::of_grid(grid), 16, ordering("fz"), {.depth = 4}),
            partition(Points::of_grid(grid), 16, ordering("fz")));
  EXPECT_EQ(partition(Points::of_grid(grid), 8, ordering("fz"), {.pieces = {2, 2, 2}}),
            partition(Points::of_grid(grid), 8, ordering("fz")));
}

TEST(Partition, flips_every_second_piece) {
  const Counts parts = partition(Points::of_grid(Grid({9})), 9, ordering("fz"), {.pieces = {3, 3}});
  EXPECT_EQ(parts, (Counts{0, 1, 2, 5, 4, 3, 6, 7, 8}));
}

TEST(Partition, by_largest_primes_is_that_of_the_papers_example) {
  // 10,800 = 2^4 3^3 5^2 processors: 6,480 and 4,320. Lower coordinates get the lower parts.
  const Counts parts =
      partition(Points::of_grid(Grid({10'800})), 10'800, ordering("fz"), {.largest_prime = true});
  EXPECT_EQ(*std::max_element(parts.begin(), parts.begin() + 6480), 6479);
  EXPECT_EQ(*std::min_element(parts.begin() + 6480, parts.end()), 6480);
  const Counts halves = partition(Points::of_grid(Grid({10'800})), 10'800, ordering("fz"));
  EXPECT_EQ(*std::max_element(halves.begin(), halves.begin() + 5400), 5399);
}

TEST(Partition, by_largest_primes_keeps_nodes_together) {
  // 7 nodes of 6 cores each along a line.
  std::vector<double> column;
  for (int core = 0; core < 42; ++core) column.push_back(core / 6);
  const Counts parts = partition(Points({column}), 42, ordering("z"), {.largest_prime = true});
  for (std::size_t core = 0; core < 42; ++core) EXPECT_EQ(parts[core] / 6, static_cast<Count>(core) / 6);
}

TEST(Partition, follows_weights) {
  std::mt19937_64 random(4);
  for (int sample = 0; sample < 100; ++sample) {
    SCOPED_TRACE(sample);
    const Points points = points_of_every_kind(random, 200 + random() % 300, 1 + random() % 3);
    const auto parts = static_cast<Count>(2 + random() % 9);
    std::vector<double> weights(points.size());
    for (double& weight : weights) weight = 1 + static_cast<double>(random() % 9);
    const Counts part_of = partition(points, parts, ordering("fz"), {}, weights);
    std::vector<double> sums(static_cast<std::size_t>(parts), 0);
    for (std::size_t i = 0; i < weights.size(); ++i) sums[static_cast<std::size_t>(part_of[i])] += weights[i];
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(parts);
    // Each of at most four cuts is off by half of the largest weight at most.
    for (const double sum : sums) EXPECT_NEAR(sum, mean, 4 * 4.5);
  }
}

TEST(Partition, of_equal_weights_is_that_without) {
  const Points points = Points::of_grid(Grid({8, 8, 4}));
  const std::vector<double> weights(points.size(), 2.5);
  EXPECT_EQ(partition(points, 64, ordering("fz"), {}, weights), partition(points, 64, ordering("fz")));
}

TEST(Partition, leaves_no_part_empty_whatever_the_weights) {
  const Points points = Points::of_grid(Grid({6}));
  const std::vector<double> weights{1000, 1, 1, 1, 1, 1};
  const Counts parts = partition(points, 6, ordering("z"), {}, weights);
  EXPECT_EQ(sizes_of(parts, 6), Counts(6, 1));
}

TEST(Partition, does_not_depend_on_scale_or_place) {
  std::mt19937_64 random(5);
  std::vector<std::vector<double>> columns(3, std::vector<double>(500));
  for (auto& column : columns)
    for (double& x : column) x = static_cast<double>(random() % 64);
  auto moved = columns;
  for (auto& column : moved)
    for (double& x : column) x = x * 0.25 - 1024;
  for (const Ordering& order : orderings())
    EXPECT_EQ(partition(Points(columns), 500, order), partition(Points(moved), 500, order)) << order.name;
}

template <class Call>
Fault fault_of(const Call& call) {
  try {
    (void)call();
  } catch (const Error& error) {
    return error.fault();
  }
  return Fault::internal;
}

TEST(Partition, refuses_what_cannot_be) {
  const Points points = Points::of_grid(Grid({4, 4}));
  const Ordering& fz = ordering("fz");
  const auto of = [&](Count parts, const Cuts& cuts = {}, const std::vector<double>& weights = {}) {
    return fault_of([&] { return partition(points, parts, fz, cuts, weights); });
  };
  for (const Count parts : {Count{-1}, Count{0}, Count{17}, Count{1} << 40})
    EXPECT_EQ(of(parts), Fault::invalid_argument);
  EXPECT_EQ(of(4, {.depth = -1}), Fault::invalid_argument);
  EXPECT_EQ(of(4, {.pieces = {2, 3}}), Fault::invalid_argument);
  EXPECT_EQ(of(4, {.pieces = {-2, -2}}), Fault::invalid_argument);
  EXPECT_EQ(of(4, {}, {1, 2}), Fault::invalid_argument);
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    std::vector<double> weights(16, 1);
    weights[3] = bad;
    EXPECT_EQ(of(4, {}, weights), Fault::invalid_argument);
  }
  EXPECT_EQ(fault_of([&] {
              return partition(points, 9, ordering("hilbert"), {.pieces = {3, 3}});
            }),
            Fault::unsupported);
  try {
    (void)partition(points, 17, fz);
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "16 points cannot make 17 parts; there may be one part a point");
  }
}

TEST(Points, refuse_what_is_no_point) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  using Columns = std::vector<std::vector<double>>;
  const auto of = [](const Columns& columns) { return fault_of([&] { return Points(columns); }); };
  EXPECT_EQ(of(Columns{}), Fault::invalid_dimensions);
  EXPECT_EQ(of(Columns(1)), Fault::invalid_argument);
  EXPECT_EQ(of({{1, 2}, {1}}), Fault::invalid_dimensions);
  EXPECT_EQ(of(Columns{{1, nan}}), Fault::invalid_argument);
  EXPECT_EQ(of({{1, 2}, {-infinity, 1}}), Fault::invalid_argument);
  EXPECT_EQ(of(Columns(65, {1})), Fault::invalid_dimensions);
  const std::vector<double> three{1, 2, 3};
  EXPECT_EQ(fault_of([&] { return Points::interleaved(2, three); }), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of([&] { return Points::interleaved(0, three); }), Fault::invalid_dimensions);
  EXPECT_EQ(fault_of([] { return Points::of_grid(Grid({1 << 20, 1 << 20})); }), Fault::invalid_argument);
  try {
    (void)Points({{0, 1}, {0, nan}});
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "coordinate 1 of point 1 is nan, which is not finite");
  }
}

TEST(Points, of_a_grid_are_its_cells) {
  const Grid grid({2, 3, 4});
  const Points points = Points::of_grid(grid);
  std::vector<double> flat;
  for (Count i = 0; i < grid.size(); ++i)
    for (const Count x : grid.cell(i)) flat.push_back(static_cast<double>(x));
  EXPECT_EQ(points, Points::interleaved(3, flat));
  EXPECT_EQ(points.with_dimensions(std::vector<std::size_t>{2}).at(5, 0), 1);
  EXPECT_EQ(points.only(Counts{23, 0}).at(0, 1), 2);
}

}  // namespace
}  // namespace halocline::network
