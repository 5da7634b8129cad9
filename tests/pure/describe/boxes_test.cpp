#include "halocline/describe/boxes.hpp"

#include "describe/box_tree.hpp"
#include "expect_error.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace halocline {
namespace {

constexpr Count largest_count = std::numeric_limits<Count>::max();

TEST(BoxTree, finds_the_boxes_that_a_look_at_each_finds) {
  std::mt19937_64 random(5);
  const auto any = [&](Count least, Count largest) {
    return std::uniform_int_distribution<Count>(least, largest)(random);
  };
  for (int trial = 0; trial < 400; ++trial) {
    const auto dimensions = static_cast<std::size_t>(any(1, 4));
    const auto any_box = [&] {
      Box box;
      for (std::size_t d = 0; d < dimensions; ++d) {
        box.first.push_back(any(-20, 20));
        box.extents.push_back(any(1, any(0, 9) == 0 ? 40 : 6));
      }
      return box;
    };
    std::vector<Box> boxes;
    for (Count count = any(0, 90); count > 0; --count) boxes.push_back(any_box());
    const BoxTree tree(boxes);
    for (int question = 0; question < 20; ++question) {
      const Box box = any_box();
      std::vector<std::size_t> expected;
      for (std::size_t b = 0; b < boxes.size(); ++b)
        if (common_points(boxes[b], box)) expected.push_back(b);
      EXPECT_EQ(tree.touched_by(box), expected) << "trial " << trial;
    }
  }
}

TEST(BoxTree, tells_what_two_boxes_have_in_common) {
  EXPECT_EQ(common_points({{0, 0}, {4, 4}}, {{2, -1}, {5, 2}}), (Box{{2, 0}, {2, 1}}));
  EXPECT_EQ(common_points({{0, 0}, {4, 4}}, {{4, 0}, {1, 1}}), std::nullopt);
  EXPECT_EQ(common_points({{largest_count - 5}, {5}}, {{largest_count - 1}, {1}}),
            (Box{{largest_count - 1}, {1}}));
}

TEST(Boxes, refuses_boxes_that_are_no_cut_of_the_mesh) {
  const Mesh mesh({8, 6});
  const auto refused = [&](const std::vector<OwnedBox>& boxes, const char* words) {
    expect_error(
        Fault::invalid_dimensions, [&] { Boxes(mesh, boxes); }, words);
  };
  refused({{0, {{0, 0}, {2, 2}}}, {1, {{1, 1}, {2, 2}}}}, "box 0 (0,0)+2x2 and box 1 (1,1)+2x2");
  refused({{0, {{0, 0}, {2, 7}}}}, "reaches beyond the mesh 8x6");
  refused({{0, {{-1, 0}, {2, 2}}}}, "reaches beyond");
  refused({{0, {{0, 0}, {2, 0}}}}, "has no points");
  refused({{0, {{0, 0}, {2}}}}, "1 extents; it needs 2");
  expect_error(
      Fault::invalid_argument,
      [&] {
        Boxes(mesh, {{-1, {{0, 0}, {2, 2}}}});
      },
      "rank -1");
  EXPECT_THROW(Boxes(mesh, {{0, {{largest_count, 0}, {2, 2}}}}), Error);
  EXPECT_EQ(Boxes(mesh, {}).size(), 0U);
}

TEST(Boxes, knows_who_owns_what) {
  const Boxes boxes(Mesh({8}), {{2, {{0}, {2}}}, {0, {{2}, {2}}}, {2, {{5}, {1}}}});
  EXPECT_EQ(boxes.of(2), (std::vector<std::size_t>{0, 2}));
  EXPECT_TRUE(boxes.of(1).empty());
}

TEST(Boxes, refuses_connections_that_make_no_sense) {
  const std::vector<OwnedBox> pair{{0, {{0, 0}, {4, 3}}}, {1, {{0, 0}, {3, 4}}}};
  const Connection good{0, {{4, 0}, {1, 3}}, 1, {0, 0}, {{1, false}, {0, false}}};
  EXPECT_EQ(Boxes(pair, {good}).connections().front(), good);
  const auto refused = [&](Fault fault, const auto& change, const char* words) {
    Connection wrong = good;
    change(wrong);
    expect_error(
        fault, [&] { Boxes(pair, {wrong}); }, words);
  };
  refused(
      Fault::invalid_argument, [](Connection& c) { c.to = 2; }, "there are 2");
  refused(
      Fault::invalid_argument,
      [](Connection& c) {
        c.axes = {{1}, {1}};
      },
      "dimension 1 twice");
  refused(
      Fault::invalid_argument,
      [](Connection& c) {
        c.axes = {{1}, {2}};
      },
      "dimension 2 of 2");
  refused(
      Fault::invalid_argument, [](Connection& c) { c.axes = {{1}}; }, "1 axes");
  refused(
      Fault::invalid_argument,
      [](Connection& c) {
        c.ghosts.first = {3, 0};
      },
      "own points of box 0");
  refused(
      Fault::invalid_dimensions,
      [](Connection& c) {
        c.axes = {{1, true}, {0}}, c.ghosts.extents = {2, 3};
      },
      "points 0 to -1 along dimension 1");
  refused(
      Fault::invalid_dimensions,
      [](Connection& c) {
        c.first = {1, 0};
      },
      "points 1 to 3");
  refused(
      Fault::invalid_dimensions, [](Connection& c) { c.first = {1}; }, "1 coordinates");
  expect_error(
      Fault::invalid_argument,
      [&] {
        Boxes(pair, {good, good});
      },
      "connections 0 and 1 fill the same points");
  EXPECT_EQ(Boxes(pair, {{0, {{-1, 0}, {1, 3}}, 1, {0, 0}, {}}}).connections().front().axes.size(), 2U);
}

}  // namespace
}  // namespace halocline
