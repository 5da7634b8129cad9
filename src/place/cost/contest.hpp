// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "place/cost/cost.hpp"
#include "place/cost/internode_sum.hpp"

#include <optional>
#include <vector>

namespace halocline::place {

/// A placement and what is known of its cost.
struct Rated {
  Placement placement;
  std::optional<Count> sum = std::nullopt;              ///< J_sum
  std::optional<LevelCost> node = std::nullopt;         ///< node_cost
  std::optional<Count> maximum_at_most = std::nullopt;  ///< J_max is not larger.
  double planning_steps = 0;                            ///< That it took, where they were counted.
};

/// Finds the preferred one of several placements (preference.hpp) by exact costs, and computes no more of
/// them than it takes: sums until they are too large, the nodes' own costs only where a maximum may decide.
class Contest {
 public:
  /// @pre `problem` outlives this object
  explicit Contest(const Problem& problem) : problem_(problem) {}

  void enter(Rated rated);

  /// The number of the preferred one, in the order in which they entered. @pre there is at least one
  [[nodiscard]] std::size_t winner();
  [[nodiscard]] const Rated& entered(std::size_t number) const { return entered_[number]; }

 private:
  void find_sum(Rated& rated, Count limit);
  /// Is J_max known to be `limit` or more, since it is never below the mean?
  [[nodiscard]] bool has_mean_from(const Rated& rated, Count limit) const;
  /// Whether J_max is below `limit`; if so, the cost of the nodes is known afterwards.
  bool has_maximum_below(Rated& rated, Count limit);

  const Problem& problem_;
  std::optional<InternodeSum> internode_sum_;  ///< Made when first needed.
  std::vector<Rated> entered_;                 ///< Without a sum where it is too large to win.
  Count least_ = 0;                            ///< Of the sums, if there are two or more.
};

}  // namespace halocline::place
