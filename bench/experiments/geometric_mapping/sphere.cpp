#include "geometric_mapping/sphere.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace halocline::network {
namespace {

using Vector = std::array<double, 3>;

template <std::size_t Dimensions, class Transform>
Points transformed(const Points& points, const char* noun, const Transform& transform) {
  if (points.dimensions() != 3)
    fail(Fault::invalid_dimensions, "points of ", points.dimensions(), " dimensions are not on a ", noun,
         "; it takes 3");
  std::vector<std::vector<double>> columns(Dimensions, std::vector<double>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto to = transform(Vector{points.at(i, 0), points.at(i, 1), points.at(i, 2)}, i);
    for (std::size_t d = 0; d < Dimensions; ++d) columns[d][i] = to[d];
  }
  return Points(std::move(columns));
}

/// The dimension that the face of the cube with this point is perpendicular to.
std::size_t facing(const Vector& point) {
  std::size_t largest = 0;
  for (std::size_t d = 1; d < 3; ++d)
    if (std::fabs(point[d]) > std::fabs(point[largest])) largest = d;
  return largest;
}

}  // namespace

Points sphere_to_cube(const Points& points) {
  return transformed<3>(points, "sphere", [](Vector point, std::size_t number) {
    const std::size_t face = facing(point);
    const double radius = std::fabs(point[face]);
    require(radius > 0, "point ", number, " is the centre of the sphere; it takes a direction");
    // The tangents at the edges of a face are 1: angles of a quarter of pi.
    for (double& x : point) x = std::atan(x / radius) * 4 / std::numbers::pi;
    return point;
  });
}

Points cube_to_faces(const Points& points) {
  return transformed<2>(points, "cube", [](const Vector& point, std::size_t) -> std::array<double, 2> {
    const auto [x, y, z] = point;
    switch (facing(point)) {
      case 0:
        return x > 0 ? std::array{y, z} : std::array{4 - y, z};
      case 1:
        return y > 0 ? std::array{2 - x, z} : std::array{6 + x, z};
      default:
        return {2 - x, z > 0 ? 2 - y : y - 2};
    }
  });
}

}  // namespace halocline::network
