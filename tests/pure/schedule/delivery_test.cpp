// Every schedule delivers every block exactly once, whatever the order of events, and touches nothing else.
#include "../../environment_number.hpp"
#include "base/fail.hpp"
#include "schedule/algorithms.hpp"
#include "tried.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace halocline::schedule {
namespace {

/// Raw, merged on the grid, and built for the grid; with all blocks and with some.
void expect_all_deliver(const Stencil& stencil, const Grid& grid, std::uint64_t seed) {
  for (const Algorithm& algorithm : algorithms())
    for (const Operation operation : operations) {
      const Schedule raw = algorithm.make(stencil, operation);
      expect_delivery(raw, {algorithm, operation, stencil, "raw"}, grid, seed);
      expect_delivery(on(raw, grid), {algorithm, operation, stencil, "merged"}, grid, seed + 1);
      const Schedule reduced = on(algorithm, stencil, operation, grid);
      const Origin origin{algorithm, operation, stencil, "reduced"};
      expect_delivery(reduced, origin, grid, seed + 2);
      expect_delivery(reduced, origin, grid, seed + 3, random_travels(seed));
    }
}

void for_each_line(const std::function<void(const Grid&)>& visit) {
  for (const Count extent : {1, 2, 3, 5})
    for (const bool wraps : {false, true}) visit(Grid({extent}, {wraps}));
}

TEST(Delivery, on_every_small_line) {
  std::uint64_t seed = 0;
  const std::vector<Offset> all = box(1, -2, 2);
  for_each_line([&](const Grid& grid) {
    for (const Offset& a : all) {
      expect_all_deliver(Stencil({a}), grid, seed += 10);
      for (const Offset& b : all) {
        expect_all_deliver(Stencil({a, b}), grid, seed += 10);
        for (const Offset& c : all) expect_all_deliver(Stencil({a, b, c}), grid, seed += 10);
      }
    }
  });
}

TEST(Delivery, on_every_small_plane) {
  std::uint64_t seed = 0;
  const std::vector<Offset> all = box(2, -1, 1);
  for (const Count rows : {1, 2, 3, 5})
    for (const Count columns : {1, 2, 3})
      for (const Periodicity& wraps : {periodic(0, 0), periodic(0, 1), periodic(1, 0), periodic(1, 1)}) {
        const Grid grid({rows, columns}, wraps);
        for (std::size_t i = 0; i < all.size(); ++i)
          for (std::size_t k = i; k < all.size(); ++k)
            expect_all_deliver(Stencil({all[i], all[k]}), grid, seed += 10);
        expect_all_deliver(Stencil::moore(2, 1), grid, seed += 10);
        expect_all_deliver(Stencil(box(2, -1, 1)), grid, seed += 10);
        expect_all_deliver(Stencil::hops(2), grid, seed += 10);
      }
}

TEST(Delivery, of_families_in_three_and_four_dimensions) {
  std::uint64_t seed = 0;
  for (const char* family : {"moore:1", "octant:2", "star:3", "hops", "component"})
    for (const Grid& grid : {Grid({3, 5, 2}), Grid({3, 5, 2}, periodic(1, 1, 1)),
                             Grid({4, 1, 3}, periodic(1, 1, 0)), Grid({7, 7, 1}, periodic(0, 1, 0))})
      expect_all_deliver(Stencil::parse(family, 3), grid, seed += 10);
  expect_all_deliver(Stencil::moore(4, 1), Grid({3, 2, 1, 4}, periodic(1, 1, 1, 0)), 1);
}

/// Neighbourhoods on which other implementations were wrong.
TEST(Delivery, of_sparse_neighbourhoods) {
  std::uint64_t seed = 0;
  for (const char* offsets : {"-1,-1,1;-1,0,0", "-1,0,0;-1,-1,1", "1,1,1;1,1,1;1,1,0",
                              "0,0,0;2,-2,1;0,0,0;2,-2,1", "3,0,-3;-3,0,3", "2,2,2;1,1,1;-1,-1,-1;-2,-2,-2"})
    for (const Grid& grid :
         {Grid({5, 4, 4}, periodic(1, 1, 1)), Grid({5, 4, 4}), Grid({4, 2, 4}, periodic(0, 1, 1))})
      expect_all_deliver(Stencil::parse(offsets, 3), grid, seed += 10);
}

/// One of four parts, so that they can run side by side.
class RandomDelivery : public ::testing::TestWithParam<int> {};

TEST_P(RandomDelivery, of_random_neighbourhoods) {
  const int neighbourhoods = environment_number("HALOCLINE_NEIGHBORHOODS", tried(2000));
  for (int i = GetParam(); i < neighbourhoods && !HasFailure(); i += 4) {
    std::mt19937_64 random(static_cast<std::uint64_t>(i));
    const std::size_t dimensions = 1 + random() % 4;
    const Stencil stencil = random_neighbourhood(dimensions, 12, random);
    SCOPED_TRACE(concat("neighbourhood ", i));
    expect_all_deliver(stencil, random_grid(dimensions, random), random());
  }
}

INSTANTIATE_TEST_SUITE_P(Part, RandomDelivery, ::testing::Range(0, 4));

}  // namespace
}  // namespace halocline::schedule
