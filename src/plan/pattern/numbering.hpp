// SPDX-License-Identifier: BSD-3-Clause
// Names of the orders in which programs number the cells of a grid.
#pragma once

#include "plan/pattern/evidence.hpp"

#include <string>

namespace halocline::plan {

struct NamedReading {
  Reading reading;   ///< Turned and mirrored so that the name fits it.
  std::string name;  ///< "row-major", "boxes 2x2x2", "Morton order"; empty if it has none.
  Periodicity periodicity;
};

/// Looks for a name among all ways to see the same grid: its dimensions in another order, back to front,
/// rings from another cell on. O(ranks) for the one that fits, few ranks for most others.
[[nodiscard]] NamedReading named(Reading reading, Periodicity periodicity);

}  // namespace halocline::plan
