// A sphere as six squares: the halo of each shows what lies around the edge, told by connections. Whether it
// is the right thing is seen from where the points are on the cube.

#include "halocline/halo/box_halo.hpp"
#include "support/world.hpp"

namespace halocline::cubed_sphere_tests {
namespace {

constexpr Count side = 5, width = 2;

/// A face of the cube: where its normal points, 0 to 2, and whether forwards.
struct Face {
  std::size_t normal;
  Count sign;

  [[nodiscard]] std::size_t axis(std::size_t d) const { return (normal + 1 + d) % 3; }
  /// Of its two dimensions the one that goes along an axis of the cube.
  [[nodiscard]] std::size_t along(std::size_t of_cube) const { return axis(0) == of_cube ? 0 : 1; }
  [[nodiscard]] std::size_t number() const { return 2 * normal + (sign > 0 ? 1 : 0); }
};
Face face_of(std::size_t number) { return {number / 2, number % 2 == 1 ? 1 : -1}; }

/// The middle of a point's square, in half squares from the middle of the cube.
std::array<Count, 3> middle_of(std::size_t number, const Cell& point) {
  const Face face = face_of(number);
  std::array<Count, 3> at{};
  at[face.normal] = face.sign * side;
  for (std::size_t d = 0; d < 2; ++d) at[face.axis(d)] = 2 * point[d] + 1 - side;
  return at;
}

/// What a face shows beyond its edge at the low or the high end of dimension d: rows of the next face, from
/// its edge on.
Connection beyond(const Face& face, std::size_t d, bool high) {
  const Face next{face.axis(d), high ? 1 : -1};
  const std::size_t inwards = next.along(face.normal), beside = next.along(face.axis(1 - d));
  // The next face goes inwards where the normal of this one comes from.
  const bool from_its_end = face.sign > 0;
  Connection connection{face.number(), {{0, 0}, {side, side}}, next.number(), {0, 0}, {{0}, {0}}};
  connection.ghosts.first[d] = high ? side : -width;
  connection.ghosts.extents[d] = width;
  // Ghosts in front go towards the edge, those behind away from it.
  const bool towards_edge = !high;
  connection.axes[d] = {inwards, from_its_end != towards_edge};
  connection.axes[1 - d] = {beside};
  const Count depth = towards_edge ? width - 1 : 0;
  connection.first[inwards] = from_its_end ? side - 1 - depth : depth;
  return connection;
}

Count distance(const std::array<Count, 3>& a, const std::array<Count, 3>& b) {
  Count sum = 0;
  for (std::size_t d = 0; d < 3; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

TEST(CubedSphere, shows_around_each_edge_what_lies_next_to_it) {
  std::vector<OwnedBox> faces;
  std::vector<Connection> connections;
  for (std::size_t number = 0; number < 6; ++number) {
    faces.push_back({static_cast<Rank>(number) % world_size(), {{0, 0}, {side, side}}});
    for (const std::size_t d : {0, 1})
      for (const bool high : {false, true}) connections.push_back(beyond(face_of(number), d, high));
  }
  const Boxes boxes(faces, connections);
  const std::vector<std::size_t> own = boxes.of(world_rank());
  using Place = std::array<Count, 3>;
  constexpr Count row = side + 2 * width;
  std::vector<std::vector<Place>> memory(own.size(), std::vector<Place>(row * row));
  std::vector<FieldView> views;
  const auto at = [&](std::size_t i, Count x, Count y) -> Place& {
    return memory[i][static_cast<std::size_t>((x + width) * row + y + width)];
  };
  for (std::size_t i = 0; i < own.size(); ++i) {
    views.push_back(view(memory[i].data(), {row, row}, HaloWidths({width, width})));
    for (Count x = 0; x < side; ++x)
      for (Count y = 0; y < side; ++y) at(i, x, y) = middle_of(own[i], {x, y});
  }
  BoxHalo halo(MPI_COMM_WORLD, boxes, {views});
  halo.exchange();
  for (std::size_t i = 0; i < own.size(); ++i)
    for (Count along = 0; along < side; ++along) {
      // Around an edge it is one half square in each of two directions, on a face a whole one.
      for (const Count depth : {0, 1}) {
        const Count step = depth == 0 ? 2 : 4;
        EXPECT_EQ(distance(at(i, -1 - depth, along), at(i, -depth, along)), step);
        EXPECT_EQ(distance(at(i, side + depth, along), at(i, side + depth - 1, along)), step);
        EXPECT_EQ(distance(at(i, along, -1 - depth), at(i, along, -depth)), step);
        EXPECT_EQ(distance(at(i, along, side + depth), at(i, along, side + depth - 1)), step);
      }
      EXPECT_EQ(at(i, -1, -1), Place{}) << "a corner, which no face has";
    }
  EXPECT_NO_THROW(halo.verify());
}

}  // namespace
}  // namespace halocline::cubed_sphere_tests
