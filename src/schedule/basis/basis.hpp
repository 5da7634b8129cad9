// SPDX-License-Identifier: BSD-3-Clause
// Schedules along an additive basis: every offset is a sum of different vectors of a small set, and there is
// one round for each of them. Traeff et al., section 5.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "schedule/parts/schedule.hpp"

#include <limits>

namespace halocline::schedule {

struct BasisOptions {
  /// The blocks more that a process may send to save a round: alpha / (beta * m) of the linear cost model.
  /// The basis has small blocks_per_round * rounds + volume; infinite: fewest rounds first, then least
  /// volume.
  double blocks_per_round = std::numeric_limits<double>::infinity();
};

struct Basis {
  Counts elements;  ///< One after the other, by length.
  bool proven;      ///< Is no basis smaller? Only ever known if rounds alone count.
};

/// A small additive basis of the offsets. The elements that sum to an offset have in each dimension its sign
/// or zero, so every process on the way lies in the box between origin and target, and exists if these do.
/// Several constructions are compared and improved; a search for the optimum follows where the box of all
/// offsets has at most 1024 points, and is given up after about a million steps. Empty if all offsets are
/// zero. Throws Error{invalid_argument} for blocks_per_round below 0 or not a number.
[[nodiscard]] Basis additive_basis(const Stencil& stencil, const BasisOptions& options = {});

/// The schedule along such a basis. Throws Error{unsupported} for more than 2^26 moves.
[[nodiscard]] Schedule basis(const Stencil& stencil, Operation operation, const BasisOptions& options = {});

}  // namespace halocline::schedule
