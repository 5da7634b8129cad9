#include "schedule/basis/basis.hpp"

#include "expect_error.hpp"
#include "schedule/cost.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

namespace halocline::schedule {
namespace {

/// Is the target the sum of different elements, none of which leads away from it?
bool is_sum(Offset target, const std::vector<Offset>& elements, std::size_t from = 0) {
  if (std::ranges::all_of(target, [](Count c) { return c == 0; })) return true;
  for (std::size_t i = from; i < elements.size(); ++i) {
    Offset rest = target;
    bool towards = true;
    for (std::size_t d = 0; d < rest.size(); ++d) {
      rest[d] -= elements[i][d];
      towards = towards && std::abs(rest[d]) <= std::abs(target[d]) &&
                (rest[d] == 0 || (rest[d] > 0) == (target[d] > 0));
    }
    if (towards && is_sum(rest, elements, i + 1)) return true;
  }
  return false;
}

bool are_sums(const Stencil& stencil, const std::vector<Offset>& elements) {
  return std::ranges::all_of(stencil.offsets(),
                             [&](const Offset& offset) { return is_sum(offset, elements); });
}

/// Tries all sets of `number` elements from `candidates`.
bool exists(const Stencil& stencil, std::size_t number, const std::vector<Offset>& candidates,
            std::vector<Offset>& chosen, std::size_t from = 0) {
  if (number == 0) return are_sums(stencil, chosen);
  for (std::size_t i = from; i + number <= candidates.size(); ++i) {
    chosen.push_back(candidates[i]);
    if (exists(stencil, number - 1, candidates, chosen, i + 1)) return true;
    chosen.pop_back();
  }
  return false;
}

std::size_t fewest_by_force(const Stencil& stencil, const std::vector<Offset>& candidates) {
  for (std::size_t number = 0;; ++number) {
    std::vector<Offset> chosen;
    if (exists(stencil, number, candidates, chosen)) return number;
  }
}

std::vector<Offset> elements_of(const Basis& basis, std::size_t dimensions) {
  std::vector<Offset> elements;
  for (auto at = basis.elements.begin(); at != basis.elements.end();
       at += static_cast<std::ptrdiff_t>(dimensions))
    elements.emplace_back(at, at + static_cast<std::ptrdiff_t>(dimensions));
  return elements;
}

Stencil line(const Counts& values) {
  std::vector<Offset> offsets;
  for (const Count value : values) offsets.push_back({value});
  return Stencil(offsets);
}

TEST(Basis, of_the_known_examples) {
  EXPECT_EQ(additive_basis(line({1, 2, 3})).elements, (Counts{1, 2}));
  EXPECT_EQ(additive_basis(line({1, 2, 3, 4, 5, 6, 7})).elements, (Counts{1, 2, 4}));
  EXPECT_EQ(additive_basis(line({1, 2, 3, 4, 5, 6, 7, 8})).elements.size(), 4u);
  EXPECT_EQ(additive_basis(line({5, 10, 15})).elements, (Counts{5, 10}));
  EXPECT_EQ(additive_basis(line({0})).elements, Counts{});
  const Basis moore = additive_basis(Stencil::moore(3, 3));
  EXPECT_EQ(moore.elements.size(), 3u * 12);
  EXPECT_TRUE(moore.proven);
}

TEST(Basis, is_the_smallest_on_a_line) {
  for (unsigned set = 1; set < 256; ++set) {
    Counts values;
    for (int bit = 0; bit < 8; ++bit)
      if (set & (1u << bit)) values.push_back(bit < 5 ? bit + 1 : 4 - bit);  // 1..5, -1..-3
    const Stencil stencil = line(values);
    const Basis found = additive_basis(stencil);
    std::vector<Offset> candidates = box(1, -3, 5);
    std::erase(candidates, Offset{0});
    EXPECT_TRUE(found.proven) << stencil.to_text();
    EXPECT_TRUE(are_sums(stencil, elements_of(found, 1))) << stencil.to_text();
    EXPECT_EQ(found.elements.size(), fewest_by_force(stencil, candidates)) << stencil.to_text();
  }
}

TEST(Basis, is_the_smallest_in_the_plane) {
  std::vector<Offset> candidates = box(2, -1, 2);
  std::erase(candidates, Offset{0, 0});
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<Offset> offsets(1 + random() % 6);
    for (Offset& offset : offsets) offset = candidates[random() % candidates.size()];
    const Stencil stencil(offsets);
    const Basis found = additive_basis(stencil);
    EXPECT_TRUE(found.proven) << stencil.to_text();
    EXPECT_TRUE(are_sums(stencil, elements_of(found, 2))) << stencil.to_text();
    EXPECT_EQ(found.elements.size() / 2, fewest_by_force(stencil, candidates)) << stencil.to_text();
  }
}

/// The least sum of hops over all sets of `number` of the values from -3 to 5; blocks[i] go to values[i].
Count least_volume_by_force(const Counts& values, const Counts& blocks, std::size_t number) {
  const Counts all{-3, -2, -1, 1, 2, 3, 4, 5};
  Count least = std::numeric_limits<Count>::max();
  for (unsigned set = 0; set < 256; ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) != number) continue;
    Count volume = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      Count hops = 100;
      for (unsigned part = set; part != 0; part = (part - 1) & set) {
        Count sum = 0;
        bool one_way = true;
        for (std::size_t k = 0; k < all.size(); ++k)
          if (part & (1u << k)) {
            sum += all[k];
            one_way = one_way && (all[k] > 0) == (values[i] > 0);
          }
        if (one_way && sum == values[i]) hops = std::min<Count>(hops, std::popcount(part));
      }
      volume += hops * blocks[i];
    }
    least = std::min(least, volume);
  }
  return least;
}

TEST(Basis, sends_the_fewest_blocks_of_the_smallest_on_a_line) {
  std::mt19937_64 random(5);
  for (unsigned set = 1; set < 256; ++set) {
    Counts values, blocks, offsets;
    for (int bit = 0; bit < 8; ++bit) {
      if (!(set & (1u << bit))) continue;
      values.push_back(bit < 5 ? bit + 1 : 4 - bit);
      blocks.push_back(static_cast<Count>(1 + random() % 5));
      offsets.insert(offsets.end(), static_cast<std::size_t>(blocks.back()), values.back());
    }
    const Stencil stencil = line(offsets);
    const Cost found = cost(basis(stencil, Operation::alltoall));
    EXPECT_EQ(found.volume, least_volume_by_force(values, blocks, static_cast<std::size_t>(found.rounds)))
        << stencil.to_text();
  }
}

/// Only the search finds these: the constructions need an element more.
TEST(Basis, may_have_elements_that_are_no_offsets) {
  const Stencil values = line({8, 0, 4, 3, 10, 11, 10});
  EXPECT_EQ(fewest_by_force(values, box(1, 1, 11)), 3u);
  EXPECT_EQ(additive_basis(values).elements.size(), 3u);
  const Stencil stencil = Stencil::parse("2,0;4,1;3,4;3,3;2,0;0,0;0,3;1,2;1,4", 2);
  const Basis found = additive_basis(stencil);
  EXPECT_TRUE(are_sums(stencil, elements_of(found, 2)));
  EXPECT_EQ(found.elements.size(), 2u * 5);
}

TEST(Basis, trades_rounds_for_volume) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const Stencil stencil = random_neighbourhood(1 + random() % 3, 20, random);
    const Cost direct = cost(algorithm("direct").make(stencil, Operation::alltoall));
    const Cost axes = cost(algorithm("torus-direct").make(stencil, Operation::alltoall));
    const Cost fewest = cost(basis(stencil, Operation::alltoall));
    for (const double price : {0.0, 0.5, 1.0, 3.0, 10.0, 1000.0}) {
      const auto total = [&](const Cost& c) {
        return price * static_cast<double>(c.rounds) + static_cast<double>(c.volume);
      };
      const Cost found = cost(basis(stencil, Operation::alltoall, {price}));
      EXPECT_LE(total(found), total(axes)) << "seed " << seed << " price " << price;
      EXPECT_GE(found.rounds, fewest.rounds) << "seed " << seed << " price " << price;
      EXPECT_LE(total(found), total(direct)) << "seed " << seed << " price " << price;
    }
  }
  // Seven blocks in three rounds, or each on its own; in between, one more round saves the most blocks for 7.
  const Stencil seven = line({1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(cost(basis(seven, Operation::alltoall, {0.9})), (Cost{7, 7}));
  EXPECT_EQ(cost(basis(seven, Operation::alltoall, {100})), (Cost{3, 12}));
}

TEST(Basis, delivers_at_any_price) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 3;
    const Stencil stencil = random_neighbourhood(dimensions, 20, random);
    const Grid grid = random_grid(dimensions, random);
    for (const double price : {0.0, 0.7, 2.0, 5.0})
      for (const Operation operation : operations) {
        const Schedule schedule = basis(stencil, operation, {price});
        for (std::size_t r = 0; r < schedule.rounds(); ++r) EXPECT_FALSE(schedule.round(r).moves.empty());
        expect_delivery(schedule, {algorithm("basis"), operation, stencil, "at a price"}, grid, seed);
      }
  }
}

/// No table can hold the sums of far offsets: they are offsets themselves or sums along the axes.
TEST(Basis, of_far_offsets) {
  constexpr Count far = Count{1} << 40;
  std::vector<Offset> offsets;
  for (Count a = -3; a <= 3; ++a)
    for (Count b = -3; b <= 3; ++b) offsets.push_back({a * far, b * (far + 1)});
  const Stencil stencil(offsets);
  const Basis found = additive_basis(stencil);
  EXPECT_EQ(found.elements.size(), 2u * 8);
  EXPECT_TRUE(found.proven);
  EXPECT_TRUE(are_sums(stencil, elements_of(found, 2)));
  const Grid grid({3, 5}, periodic(1, 1));
  for (const Operation operation : operations) {
    const Schedule schedule = basis(stencil, operation);
    EXPECT_EQ(cost(schedule).rounds, 8);
    expect_delivery(schedule, {algorithm("basis"), operation, stencil, "far"}, grid, 1);
    expect_delivery(on(schedule, grid), {algorithm("basis"), operation, stencil, "far and merged"}, grid, 2);
  }
  constexpr Count most = std::numeric_limits<Count>::max();
  EXPECT_EQ(additive_basis(line({most, -most, 1})).elements.size(), 3u);
}

TEST(Basis, refuses_prices_that_make_no_sense) {
  expect_error(
      Fault::invalid_argument, [] { (void)additive_basis(line({1}), {-1}); }, "-1");
  expect_error(
      Fault::invalid_argument, [] { (void)basis(line({1}), Operation::alltoall, {std::nan("")}); }, "nan");
}

}  // namespace
}  // namespace halocline::schedule
