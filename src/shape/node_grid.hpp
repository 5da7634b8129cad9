// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/base/count.hpp"

namespace halocline::shape {

/// A grid and an estimate of what its halos cost once it is placed on nodes.
struct NodeGrid {
  Counts dims;
  double node_cost;     ///< Between nodes, in the unit of the weights.
  double process_cost;  ///< Between processes, on the same node or not.
  bool operator==(const NodeGrid&) const = default;
};

}  // namespace halocline::shape
