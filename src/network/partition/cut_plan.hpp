// SPDX-License-Identifier: BSD-3-Clause
// Into how many pieces each region is cut, and how many parts each piece will become: the same for tasks and
// cores, since it depends on the number of parts only.
#pragma once

#include "network/partition/partition.hpp"

#include <unordered_map>

namespace halocline::network {

class CutPlan {
 public:
  /// Throws as partition() does for `cuts` that do not fit the number of parts.
  CutPlan(Cuts cuts, Count parts);

  /// The pieces of a region that becomes `parts` parts, on a level of the recursion. @pre parts > 1
  [[nodiscard]] Count pieces(Count parts, std::size_t level) const;

  /// The parts in the first `first` of `pieces` pieces of `parts` parts.
  [[nodiscard]] Count parts_before(Count parts, Count pieces, Count first);

 private:
  Cuts cuts_;
  std::unordered_map<Count, Count> lower_of_;  ///< Bisections by largest primes that were worked out.
};

}  // namespace halocline::network
