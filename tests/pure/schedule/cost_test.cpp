// Rounds and volumes are those of the formulas, for the known examples and for random neighbourhoods.
#include "schedule/cost.hpp"

#include "base/fail.hpp"
#include "expect_error.hpp"
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace halocline::schedule {
namespace {

Cost cost_of(const char* name, const Stencil& stencil, Operation operation) {
  return cost(algorithm(name).make(stencil, operation));
}

TEST(Cost, of_the_known_examples) {
  const Stencil moore1 = Stencil::moore(3, 1), moore3 = Stencil::moore(3, 3), octant3 = Stencil::octant(3, 3);
  EXPECT_EQ(cost_of("direct", moore1, Operation::alltoall), (Cost{26, 26}));
  EXPECT_EQ(cost_of("torus", moore1, Operation::alltoall), (Cost{6, 54}));
  EXPECT_EQ(cost_of("torus-direct", moore1, Operation::alltoall), (Cost{6, 54}));
  EXPECT_EQ(cost_of("basis", moore1, Operation::alltoall), (Cost{6, 54}));
  EXPECT_EQ(cost_of("torus", moore1, Operation::allgather), (Cost{6, 26}));
  EXPECT_EQ(cost_of("torus", moore3, Operation::alltoall), (Cost{18, 1764}));
  EXPECT_EQ(cost_of("torus", moore3, Operation::allgather), (Cost{18, 342}));
  EXPECT_EQ(cost_of("basis", moore3, Operation::allgather), (Cost{12, 342}));
  EXPECT_EQ(cost_of("torus", octant3, Operation::alltoall), (Cost{9, 288}));
  EXPECT_EQ(cost_of("basis", Stencil::parse("1;2;3;4;5;6;7", 1), Operation::alltoall), (Cost{3, 12}));
}

TEST(Cost, of_shales) {
  const Stencil both = shales(3, {3, 7});
  EXPECT_EQ(both.size(), 1396u);
  EXPECT_EQ(cost_of("torus", both, Operation::alltoall).rounds, 42);
  // Every coordinate from -7 to 7 occurs, so whole jumps take as many rounds, but fewer blocks.
  EXPECT_EQ(cost_of("torus-direct", both, Operation::alltoall), (Cost{42, 3948}));
  EXPECT_EQ(cost_of("basis", both, Operation::alltoall).rounds, 18);
  // Where only 3 and 7 occur, back and forth, there are 4 rounds a dimension.
  std::vector<Offset> corners;
  for (const Offset& offset : box(3, -7, 7))
    if (std::ranges::all_of(offset, [](Count c) { return c == 0 || std::abs(c) == 3 || std::abs(c) == 7; }) &&
        std::ranges::any_of(offset, [](Count c) { return c != 0; }))
      corners.push_back(offset);
  EXPECT_EQ(cost_of("torus-direct", Stencil(corners), Operation::alltoall).rounds, 12);
}

/// Rounds and blocks of the formulas; for allgather with the dimensions in the given order.
struct Formulas {
  Cost torus{0, 0}, torus_direct{0, 0};
};

Formulas alltoall_formulas(const Stencil& stencil) {
  Formulas formulas;
  for (std::size_t d = 0; d < stencil.dimensions(); ++d) {
    Count most = 0, least = 0;
    std::set<Count> different;
    for (const Offset& offset : stencil.offsets()) {
      most = std::max(most, offset[d]);
      least = std::min(least, offset[d]);
      formulas.torus.volume += std::abs(offset[d]);
      formulas.torus_direct.volume += offset[d] != 0;
      if (offset[d] != 0) different.insert(offset[d]);
    }
    formulas.torus.rounds += most - least;
    formulas.torus_direct.rounds += static_cast<Count>(different.size());
  }
  return formulas;
}

/// The nodes of the prefix trie, weighted by the hops below them.
Formulas allgather_volumes(const Stencil& stencil, const std::vector<std::size_t>& order) {
  Formulas formulas;
  for (std::size_t level = 0; level < order.size(); ++level) {
    std::map<Counts, std::set<Count>> below;
    for (const Offset& offset : stencil.offsets()) {
      Counts prefix;
      for (std::size_t k = 0; k < level; ++k) prefix.push_back(offset[order[k]]);
      below[prefix].insert(offset[order[level]]);
    }
    for (const auto& [prefix, values] : below) {
      formulas.torus.volume += std::max(*values.rbegin(), Count{0}) + std::max(-*values.begin(), Count{0});
      formulas.torus_direct.volume += static_cast<Count>(values.size() - values.count(0));
    }
  }
  return formulas;
}

TEST(Cost, is_that_of_the_formulas) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % 4;
    const Stencil stencil = random_neighbourhood(dimensions, 20, random);
    SCOPED_TRACE(concat("seed ", seed, ": ", stencil.to_text()));
    const Formulas alltoall = alltoall_formulas(stencil);
    EXPECT_EQ(cost_of("torus", stencil, Operation::alltoall), alltoall.torus);
    EXPECT_EQ(cost_of("torus-direct", stencil, Operation::alltoall), alltoall.torus_direct);
    Count sent = 0;
    for (const Offset& offset : stencil.offsets())
      sent += std::ranges::any_of(offset, [](Count c) { return c != 0; });
    EXPECT_EQ(cost_of("direct", stencil, Operation::alltoall), (Cost{sent, sent}));
    std::set<Offset> different(stencil.offsets().begin(), stencil.offsets().end());
    different.erase(Offset(dimensions, 0));
    const Count targets = static_cast<Count>(different.size());
    EXPECT_EQ(cost_of("direct", stencil, Operation::allgather), (Cost{targets, targets}));

    std::vector<std::size_t> order(dimensions);
    std::iota(order.begin(), order.end(), 0);
    Formulas least = allgather_volumes(stencil, order);
    while (std::next_permutation(order.begin(), order.end())) {
      const Formulas other = allgather_volumes(stencil, order);
      least.torus.volume = std::min(least.torus.volume, other.torus.volume);
      least.torus_direct.volume = std::min(least.torus_direct.volume, other.torus_direct.volume);
    }
    EXPECT_EQ(cost_of("torus", stencil, Operation::allgather),
              (Cost{alltoall.torus.rounds, least.torus.volume}));
    EXPECT_EQ(cost_of("torus-direct", stencil, Operation::allgather),
              (Cost{alltoall.torus_direct.rounds, least.torus_direct.volume}));
    const Cost basis = cost_of("basis", stencil, Operation::alltoall);
    EXPECT_LE(basis.rounds, std::min(alltoall.torus_direct.rounds, sent));
    EXPECT_LE(cost_of("basis", stencil, Operation::allgather).volume, basis.volume);
  }
}

TEST(Cost, many_orders_are_not_tried_but_the_narrow_one_is) {
  std::vector<Offset> offsets;  // 9 dimensions: the last has one coordinate, the others many
  std::mt19937_64 random(1);
  for (int i = 0; i < 40; ++i) {
    Offset offset(9);
    for (Count& c : offset) c = static_cast<Count>(random() % 5) - 2;
    offset[8] = 2;
    offsets.push_back(offset);
  }
  const Stencil stencil(offsets);
  std::vector<std::size_t> order(9);
  std::iota(order.begin(), order.end(), 0);
  EXPECT_LT(cost_of("torus", stencil, Operation::allgather).volume,
            allgather_volumes(stencil, order).torus.volume);
}

TEST(Cost, in_bytes) {
  const Stencil stencil = Stencil::parse("1,0;1,1;0,0;0,-2", 2);
  const Counts sizes{8, 100, 1000, 7};
  EXPECT_EQ(message_bytes(algorithm("direct").make(stencil, Operation::alltoall), sizes), 115);
  EXPECT_EQ(message_bytes(algorithm("torus").make(stencil, Operation::alltoall), sizes), 8 + 200 + 14);
  const Schedule gather = algorithm("torus").make(stencil, Operation::allgather);
  EXPECT_EQ(message_bytes(gather, Counts{5, 5, 5, 5}), 5 * cost(gather).volume);
  expect_error(
      Fault::invalid_argument, [&] { (void)message_bytes(gather, sizes); }, "8", "100");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)message_bytes(gather, Counts{1, 1});
      },
      "2 block sizes", "4");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)message_bytes(gather, Counts{-1, -1, -1, -1});
      },
      "-1");
  constexpr Count huge = Count{1} << 62;
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)message_bytes(algorithm("torus").make(stencil, Operation::alltoall),
                            Counts{huge, huge, huge, huge});
      },
      "64");
}

TEST(Cost, too_large_schedules_are_refused) {
  for (const Operation operation : operations) {
    expect_error(
        Fault::unsupported,
        [&] {
          (void)algorithm("torus").make(Stencil({{Count{1} << 40, 3}}), operation);
        },
        "torus", "rounds", "67108864");
    constexpr Count most = std::numeric_limits<Count>::max();
    EXPECT_ANY_THROW((void)algorithm("torus").make(Stencil(std::vector<Offset>{{most}, {-most}}), operation));
    EXPECT_EQ(cost(algorithm("torus-direct").make(Stencil({{most, 1}, {-most, most}}), operation)),
              (Cost{4, 4}));
  }
  expect_error(
      Fault::unsupported,
      [] {
        (void)algorithm("torus").make(Stencil(std::vector<Offset>(100, Offset{1000000})),
                                      Operation::alltoall);
      },
      "torus", "moves");
  expect_error(
      Fault::invalid_argument, [] { (void)algorithm("hypercube"); }, "hypercube", "torus-direct");
}

}  // namespace
}  // namespace halocline::schedule
