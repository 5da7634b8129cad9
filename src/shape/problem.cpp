// SPDX-License-Identifier: BSD-3-Clause
#include "shape/problem.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>

namespace halocline::shape {
namespace {

/// A list has an entry for each dimension, or none at all.
void check_length(const char* noun, std::size_t length, std::size_t dimensions) {
  if (length != 0 && length != dimensions)
    fail(Fault::invalid_dimensions, length, " ", noun, " for ", dimensions, " dimensions");
}

void check_not_negative(const char* noun, const Counts& values) {
  for (std::size_t d = 0; d < values.size(); ++d)
    if (values[d] < 0)
      fail(Fault::invalid_dimensions, noun, " ", values[d], " of dimension ", d,
           " is negative; 0 leaves the dimension free");
}

Count checked_processes(const Counts& levels) {
  if (levels.empty()) fail(Fault::invalid_dimensions, "a machine needs at least one level");
  for (const Count size : levels)
    if (size < 1) fail(Fault::invalid_dimensions, "the level size ", size, " is not positive");
  try {
    return checked_product(levels);
  } catch (const Error& error) {
    fail(Fault::invalid_dimensions, "too many processes: ", error.what());
  }
}

}  // namespace

Problem Problem::for_mesh(Counts levels, const Mesh& mesh, const Counts& halo) {
  Problem problem{std::move(levels), Weights::of_mesh(mesh, halo), {}, {}, mesh.periodicity()};
  for (std::size_t d = 0; d < mesh.dimensions(); ++d) {
    const Count width = halo.empty() ? 1 : std::max<Count>(halo[d], 1);
    // A halo wider than the mesh still leaves the dimension whole.
    problem.limits.push_back(std::max<Count>(mesh.extents()[d] / width, 1));
  }
  return problem;
}

void Problem::validate() const {
  const Count processes = checked_processes(levels);
  check_length("fixed extents", fixed.size(), weights.size());
  check_length("limits", limits.size(), weights.size());
  check_length("flags for periodic dimensions", periodicity.size(), weights.size());
  check_not_negative("the fixed extent", fixed);
  check_not_negative("the limit", limits);

  Count rest = processes;
  bool all_fixed = !fixed.empty();
  for (std::size_t d = 0; d < fixed.size(); ++d) {
    all_fixed = all_fixed && fixed[d] > 0;
    if (fixed[d] == 0) continue;
    if (!limits.empty() && limits[d] > 0 && fixed[d] > limits[d])
      fail(Fault::invalid_dimensions, "the fixed extent ", fixed[d], " of dimension ", d,
           " is past the most parts it can have, ", limits[d]);
    if (rest % fixed[d] != 0)
      fail(Fault::invalid_dimensions, "the fixed extents do not fit: ", processes,
           " processes are no multiple of their product; dimension ", d, " wants a factor of ", fixed[d],
           " where ", rest, " are left");
    rest /= fixed[d];
  }
  if (all_fixed && rest != 1)
    fail(Fault::invalid_dimensions, "every extent is fixed, but their product is ", processes / rest,
         " and there are ", processes, " processes");
}

}  // namespace halocline::shape
