#pragma once

#include "place/internode_sum.hpp"

#include <optional>
#include <vector>

namespace halocline::place {

/// Finds the preferred one of several placements (preference.hpp) by exact costs, and computes no more of
/// them than it takes: sums until they are too large, the nodes' own costs only where a maximum may decide.
class Contest {
 public:
  /// @pre `problem` outlives this object
  explicit Contest(const Problem& problem) : problem_(problem) {}

  /// With its J_sum, if that is known.
  void enter(Placement placement, std::optional<Count> sum = std::nullopt);

  /// The number of the preferred one, in the order in which they entered. @pre there is at least one
  [[nodiscard]] std::size_t winner();
  [[nodiscard]] const Placement& placement(std::size_t number) const { return placements_[number]; }

 private:
  void rate(std::size_t number);

  const Problem& problem_;
  std::optional<InternodeSum> internode_sum_;  ///< Made when first needed.
  std::vector<Placement> placements_;
  std::vector<std::optional<Count>> sums_;  ///< None where it is too large to win.
  Count least_ = 0;
};

}  // namespace halocline::place
