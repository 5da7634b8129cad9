// Transformations of task coordinates on a sphere, as the atmosphere model HOMME has them: section 5.2 and
// Figure 7 of "Exploiting Geometric Partitioning in Task Mapping for Parallel Computers".
#pragma once

#include "network/points/points.hpp"

namespace halocline::network {

/// The points of a sphere around the origin on the cube [-1, 1]^3: seen from the centre in the same
/// direction, with equal angles between equal distances along a face, as in a cubed-sphere mesh. Throws
/// Error{invalid_dimensions} unless they are of 3 dimensions, Error{invalid_argument} for a point at the
/// origin.
[[nodiscard]] Points sphere_to_cube(const Points& points);

/// The points of the cube [-1, 1]^3 unfolded: the faces +x, +y, -x, -y side by side, [-1, 7] x [-1, 1], so
/// that what is farthest apart is next to each other around a torus; +z above and -z below the face +y.
/// Throws Error{invalid_dimensions} unless they are of 3 dimensions.
[[nodiscard]] Points cube_to_faces(const Points& points);

}  // namespace halocline::network
