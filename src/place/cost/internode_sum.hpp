// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

#include <memory>
#include <optional>

namespace halocline::place {

/// J_sum of many placements of one problem: what they have in common is worked out once, and nothing is kept
/// for single nodes. Several times as fast as node_cost.
class InternodeSum {
 public:
  /// Throws Error{invalid_argument} if a sum may leave 64 bits. @pre `problem` outlives this object
  explicit InternodeSum(const Problem& problem);
  ~InternodeSum();
  InternodeSum(InternodeSum&&) noexcept;

  /// The exact J_sum, or none as soon as it is known to exceed `limit`: what loses anyway is not computed to
  /// the end. Throws Error{invalid_argument} for a placement on another grid.
  [[nodiscard]] std::optional<Count> within(const Placement& placement, Count limit);

  class Rater;

 private:
  const Grid& grid_;
  std::unique_ptr<Rater> rater_;
};

}  // namespace halocline::place
