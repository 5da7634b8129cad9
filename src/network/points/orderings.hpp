// SPDX-License-Identifier: BSD-3-Clause
// The orders in which the parts of a geometric partition are numbered: section 4.3 of "Exploiting Geometric
// Partitioning in Task Mapping for Parallel Computers". The command line, the tests and the benchmarks
// iterate over the table.
#pragma once

#include "halocline/base/count.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace halocline::network {

/// How a region is seen while it is cut into pieces. Pieces are numbered along the dimension that is cut,
/// from its lower end, or from its upper end if the dimension is reversed.
struct RegionView {
  std::uint64_t reversed = 0;  ///< Bit d stands for dimension d.

  // Where a Hilbert curve stands inside the cube it is walking through: the corner it enters at, the
  // dimension it leaves along, the number of dimensions cut so far, and on which side of each cut it is.
  std::uint64_t entry = 0;
  std::size_t direction = 0;
  std::size_t cuts = 0;
  std::uint64_t sides = 0;

  bool operator==(const RegionView&) const = default;
};

/// A rule for numbering parts. It says how each piece is seen when it is cut again.
struct Ordering {
  std::string_view name;
  std::string_view source;  ///< Where the idea comes from, in one line.

  /// The view of piece number `piece` of a region seen as `region` that was cut along `dimension`.
  RegionView (*piece_view)(const RegionView& region, std::size_t dimension, Count piece,
                           std::size_t dimensions);

  /// The dimension in which a region must be cut, always in two; null if the choice is free.
  std::size_t (*dimension)(const RegionView& region, std::size_t dimensions);

  /// What orders the cores when this one orders the tasks: the same, unless another name is given.
  std::string_view for_cores = {};
};

/// Every ordering: z, gray, fz, mfz, hilbert.
[[nodiscard]] std::span<const Ordering> orderings();

/// The ordering of that name. Throws Error{invalid_argument} that lists the names there are.
[[nodiscard]] const Ordering& ordering(std::string_view name);

/// The orderings of tasks and of cores that go together.
struct OrderingPair {
  const Ordering* tasks;
  const Ordering* cores;
};

/// The pair that `name` stands for with tasks and cores of so many dimensions. It is the same ordering twice,
/// except mfz: mfz for the tasks and fz for the cores where the dimensions of the cores are a multiple of
/// those of the tasks, otherwise fz for both. Throws as ordering().
[[nodiscard]] OrderingPair ordering_pair(std::string_view name, std::size_t task_dimensions,
                                         std::size_t core_dimensions);

}  // namespace halocline::network
