#include "halocline/describe/stencil.hpp"

#include "expect_error.hpp"

#include <random>
#include <set>

namespace halocline {
namespace {

TEST(Stencil, families_are_what_they_are_called) {
  EXPECT_EQ(Stencil::nearest(2).offsets(), (std::vector<Offset>{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}));
  EXPECT_EQ(Stencil::hops(2).size(), 8U);
  EXPECT_EQ(Stencil::hops(2).offsets().back(), (Offset{3, 0}));
  EXPECT_EQ(Stencil::component(3).offsets(),
            (std::vector<Offset>{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}));
  EXPECT_EQ(Stencil::moore(3, 1).size(), 26U);
  EXPECT_EQ(Stencil::moore(3, 3).size(), 342U);
  EXPECT_EQ(Stencil::star(3, 2).size(), 12U);
  EXPECT_EQ(Stencil::octant(3, 3).size(), 63U);
  for (const Stencil& stencil : {Stencil::moore(2, 2), Stencil::octant(2, 2), Stencil::star(2, 4)}) {
    const std::set<Offset> distinct(stencil.offsets().begin(), stencil.offsets().end());
    EXPECT_EQ(distinct.size(), stencil.size());
    EXPECT_EQ(distinct.count({0, 0}), 0U);
    EXPECT_TRUE(stencil.unweighted());
  }
}

TEST(Stencil, names_survive_the_round_trip) {
  for (const char* text :
       {"nearest", "hops", "component", "moore:1", "moore:2", "star:3", "octant:1", "octant:4"})
    for (std::size_t d = 2; d <= 4; ++d) {
      const Stencil stencil = Stencil::parse(text, d);
      EXPECT_EQ(stencil.to_text(), text);
      EXPECT_EQ(Stencil::parse(stencil.to_text(), d), stencil);
    }
  EXPECT_EQ(Stencil::parse("moore:1", 1).to_text(), "nearest");
}

TEST(Stencil, explicit_text_round_trips) {
  EXPECT_EQ(Stencil::parse("1,0*8;0,1*2", 2), Stencil({{1, 0}, {0, 1}}, {8, 2}));
  EXPECT_EQ(Stencil::parse("1,0; -1,0;0,+2", 2), Stencil({{1, 0}, {-1, 0}, {0, 2}}));
  constexpr std::uint64_t seed = 77;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    const std::size_t dimensions = 1 + random() % 4;
    std::vector<Offset> offsets(1 + random() % 6, Offset(dimensions));
    Counts weights(offsets.size());
    for (Offset& offset : offsets)
      for (Count& component : offset) component = static_cast<Count>(random() % 7) - 3;
    for (Count& weight : weights) weight = 1 + static_cast<Count>(random() % 3);
    const Stencil stencil(offsets, weights);
    EXPECT_EQ(Stencil::parse(stencil.to_text(), dimensions), stencil)
        << "seed " << seed << ": " << stencil.to_text();
  }
}

TEST(Stencil, refuses_nonsense) {
  const auto parse = [](const char* text) { return [text] { (void)Stencil::parse(text, 2); }; };
  expect_error(Fault::invalid_argument, parse("1,0,0"), "\"1,0,0\"", "3 components in 2 dimensions");
  expect_error(Fault::invalid_argument, parse("1,0*0"), "weight 0 is not positive");
  expect_error(Fault::invalid_argument, parse("moore:0"), "radius 0 is not positive");
  expect_error(Fault::invalid_argument, parse("cross"), "unknown family 'cross'");
  expect_error(Fault::invalid_argument, parse("moore:100000"), "more than");
  expect_error(Fault::invalid_argument, parse("moore:9223372036854775807"), "more than");
  expect_error(Fault::invalid_argument, parse("star:9223372036854775807"), "more than");
  expect_error(Fault::invalid_argument, parse("1,-9223372036854775808"), "absolute value");
  for (const char* text : {"", "1,0;", "moore", "moore:1x", "1,0*1.5", "nearest:2"})
    expect_error(Fault::invalid_argument, parse(text), "looks like");
  expect_error(
      Fault::invalid_argument, [] { (void)Stencil::component(1); }, "at least two dimensions");
  expect_error(
      Fault::invalid_argument, [] { (void)Stencil::nearest(0); }, "at least one dimension");
  expect_error(
      Fault::invalid_argument, [] { (void)Stencil({}); }, "at least one offset");
  expect_error(
      Fault::invalid_argument,
      [] {
        (void)Stencil(std::vector<Offset>{{1}, {1, 0}});
      },
      "1 and 2 components");
  expect_error(
      Fault::invalid_argument,
      [] {
        (void)Stencil({{1}}, {1, 2});
      },
      "1 offsets has 2 weights");
}

}  // namespace
}  // namespace halocline
