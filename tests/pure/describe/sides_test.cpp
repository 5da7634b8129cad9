#include "halocline/describe/sides.hpp"

#include "expect_error.hpp"

#include <gtest/gtest.h>

namespace halocline {
namespace {

using Kind = Side::Kind;
using Which = Side::Which;

TEST(Sides, read_what_they_print) {
  for (const std::string text :
       {"", "x:mirror-face", "x-:mirror-point x+:mirror-face", "y:shear+3@x", "y:shear-12@z", "y:shear+0@d3",
        "y+:fold-t@x:odd=1,2", "y+:fold-f@x:odd=0.2,3 at=c,x,y,xy", "x:mirror-face:odd d4:mirror-point",
        "x:mirror-face at=c,yd3"}) {
    const Sides sides = Sides::parse(text);
    EXPECT_EQ(sides.to_text(), text);
    EXPECT_EQ(Sides::parse(sides.to_text()), sides);
  }
  EXPECT_EQ(Sides::parse(" y+:mirror-face   x:mirror-point at=c,c ").to_text(),
            "x:mirror-point y+:mirror-face");
}

TEST(Sides, are_found_by_side) {
  const Sides sides = Sides::parse("x:mirror-face y+:fold-t@z:odd=1 at=c,z");
  ASSERT_NE(sides.find(0, Which::low), nullptr);
  EXPECT_EQ(sides.find(0, Which::low), sides.find(0, Which::high));
  EXPECT_EQ(sides.find(1, Which::low), nullptr);
  const Side* const fold = sides.find(1, Which::high);
  ASSERT_NE(fold, nullptr);
  EXPECT_EQ(*fold, (Side{1, Kind::fold_t, Which::high, 2, 0, {{1, Side::Odd::all}}}));
  EXPECT_TRUE(sides.half_further(1, 2));
  EXPECT_FALSE(sides.half_further(0, 2) || sides.half_further(1, 0) || sides.half_further(2, 2));
}

TEST(Sides, refuse_nonsense) {
  const auto refused = [](const char* text, const char* words) {
    expect_error(
        Fault::invalid_argument, [&] { (void)Sides::parse(text); }, words);
  };
  refused("x", "':'");
  refused("x:mirror", "mirror-face, mirror-point, shear, fold-t or fold-f");
  refused("w:mirror-face", "x, y, z, d3");
  refused("x:shear@y", "shear");
  refused("x:shear+3", "'@'");
  refused("x:shear+3@x", "another dimension than its own");
  refused("x+:shear+3@y", "at both sides");
  refused("x:fold-t@y", "at one");
  refused("x:mirror-face x+:mirror-point", "described twice");
  refused("x:mirror-face x:mirror-point", "described twice");
  refused("x:mirror-face:even", "odd");
  refused("x:mirror-face:odd=-1", "-1");
  refused("x:mirror-face at=c at=c", "twice");
  refused("x:mirror-face at=xx", "twice");
  refused("x:mirror-face,y:mirror-face", "description of sides");
  refused("y+:fold-t@x z:shear+1@x", "nothing else may");
  refused("y+:fold-t@x z-:fold-f@x", "nothing else may");
  refused("y:shear+1@x x:mirror-face", "has to be periodic");
  EXPECT_EQ(Sides::parse("y-:fold-t@x y+:fold-f@x").list().size(), 2U);
  EXPECT_EQ(Sides::parse("y:shear+1@x z:shear+2@x").list().size(), 2U);
}

TEST(Sides, fit_a_mesh_or_not) {
  const auto refused = [](const char* text, const char* words) {
    expect_error(
        Fault::invalid_dimensions,
        [&] {
          Sides::parse(text).require_fit(Mesh({8, 6}, {true, false}));
        },
        words);
  };
  Sides::parse("y:shear+7@x").require_fit(Mesh({8, 6}, {true, false}));
  Sides::parse("y+:fold-t@x at=xy").require_fit(Mesh({8, 6}, {true, false}));
  refused("y:shear+8@x", "shear by 8");
  refused("y:shear-8@x", "shear by -8");
  refused("x:mirror-face", "periodic there");
  refused("z:mirror-face", "2 dimensions");
  refused("y:mirror-face at=z", "2 dimensions");
  refused("y+:fold-t@z", "2 dimensions");
}

}  // namespace
}  // namespace halocline
