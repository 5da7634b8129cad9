#include "plan/messages/box_pieces.hpp"

#include "expect_error.hpp"
#include "tried.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>

namespace halocline {
namespace {

using plan::box_traffic;
using plan::BoxField;
using plan::BoxPieces;
using plan::GhostWidths;

/// Cubes of `side` points, so many along each dimension, dealt to processes in a row.
Boxes cubes(Count side, const Counts& along, Count processes) {
  Counts extents;
  for (const Count count : along) extents.push_back(count * side);
  const Mesh order(along), mesh(extents, Periodicity(along.size(), true));
  std::vector<OwnedBox> boxes;
  for (Count number = 0; number < order.size(); ++number) {
    Cell first = order.cell(number);
    for (Count& c : first) c *= side;
    boxes.push_back({number * processes / order.size(), {first, Counts(along.size(), side)}});
  }
  return Boxes(mesh, boxes);
}

TEST(BoxPieces, around_knows_all_that_show_a_box) {
  std::mt19937_64 random(3);
  const auto any = [&](Count least, Count largest) {
    return std::uniform_int_distribution<Count>(least, largest)(random);
  };
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<OwnedBox> owned;
    for (Count x = 0; x < 12;) {
      const Count width = any(1, 12 - x);
      for (Count y = 0; y < 9;) {
        const Count height = any(1, 9 - y);
        if (any(0, 5) > 0) owned.push_back({0, {{x, y}, {width, height}}});
        y += height;
      }
      x += width;
    }
    const Boxes boxes(Mesh({12, 9}, periodic(any(0, 1), any(0, 1))), owned);
    const GhostWidths widths{{any(0, 5), any(0, 5)}, {any(0, 14), any(0, 14)}};
    const BoxPieces pieces(boxes, Stencil::moore(2, 1));
    for (std::size_t to = 0; to < boxes.size(); ++to)
      for (const Connection& piece : pieces.into(to, widths)) {
        const std::vector<std::size_t> around = pieces.around(piece.from, widths);
        EXPECT_TRUE(std::binary_search(around.begin(), around.end(), to)) << "trial " << trial;
      }
  }
}

TEST(BoxTraffic, of_equal_cubes_is_that_of_their_halos) {
  const Boxes boxes = cubes(4, {3, 3, 3}, 27);
  const BoxField field{{{1, 1, 1}, {1, 1, 1}}, 8};
  const auto all = box_traffic(boxes, Stencil::moore(3, 1), {&field, 1});
  EXPECT_EQ(all.to_others, (Traffic{27 * 26, 27 * (216 - 64) * 8}));
  EXPECT_EQ(all.to_itself, (Traffic{0, 0}));
  EXPECT_EQ(all.most, (Traffic{26, (216 - 64) * 8}));
  const auto faces = box_traffic(boxes, Stencil::nearest(3), {&field, 1});
  EXPECT_EQ(faces.to_others, (Traffic{27 * 6, 27 * 96 * 8}));
}

TEST(BoxTraffic, refuses_what_does_not_fit) {
  const Boxes boxes = cubes(2, {2, 2}, 2);
  const BoxField narrow{{{1}, {1, 1}}, 8}, negative{{{1, 1}, {1, -1}}, 8};
  const Stencil all = Stencil::moore(2, 1);
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)box_traffic(boxes, all, {&narrow, 1});
      },
      "field 0");
  expect_error(
      Fault::invalid_dimensions,
      [&] {
        (void)box_traffic(boxes, all, {&negative, 1});
      },
      "negative");
  expect_error(
      Fault::invalid_dimensions, [&] { (void)box_traffic(boxes, Stencil::moore(3, 1), {}); }, "3 components");
}

// Ten times the second that it may take where nothing else runs: tests share their machine, and a look at all
// pairs of boxes would take a minute.
TEST(BoxTraffic, of_many_boxes_takes_no_look_at_all_pairs) {
  const auto begin = std::chrono::steady_clock::now();
  const Count layers = tried(Count{20}), all_boxes = layers * 25 * 20;
  const Boxes boxes = cubes(8, {layers, 25, 20}, 1000);
  const BoxField field{{{1, 1, 1}, {1, 1, 1}}, 8};
  const auto all = box_traffic(boxes, Stencil::moore(3, 1), {&field, 1});
  EXPECT_EQ(all.to_itself.bytes + all.to_others.bytes, all_boxes * (1000 - 512) * 8);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace halocline
