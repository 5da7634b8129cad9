// SPDX-License-Identifier: BSD-3-Clause
// What any placement has to cut. A set of n cells has at least as many messages in a direction as lines of
// that direction meet it, and for d independent directions the numbers of lines multiply to n^(d - 1) at
// least (Loomis and Whitney).
#pragma once

#include "place/problem/problem.hpp"

#include <vector>

namespace halocline::place {

/// Both directions of a step, seen from the cell that comes first row by row.
struct StepPair {
  Offset offset;
  Count weight = 0;
};

class LeastCut {
 public:
  /// @pre `problem` outlives this object
  LeastCut(const Problem& problem, const std::vector<StepPair>& pairs);

  /// Among the last layers of the grid (dimension 0). What the border of those layers cuts is free.
  [[nodiscard]] Count of_layers(Count layers) const;

 private:
  /// The steps of up to d independent directions.
  struct Frame {
    std::vector<StepPair> pairs;
    double by_cell = 0;  ///< What each cell of a node adds to the cut, at least.
  };

  const Grid& grid_;
  std::vector<Frame> frames_;
};

}  // namespace halocline::place
