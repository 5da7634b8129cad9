// SPDX-License-Identifier: BSD-3-Clause
// What has to be placed: a grid of processes that talk along a stencil, onto a machine.
#pragma once

#include "halocline/describe/grid.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/describe/stencil.hpp"

#include <cstdint>

namespace halocline::place {

/// A grid, the stencil its processes exchange along and the machine they run on, known to fit each other.
class Problem {
 public:
  /// Throws Error{invalid_dimensions} if the stencil has another dimension than the grid, or the machine
  /// another number of ranks than the grid has cells.
  Problem(Grid grid, Stencil stencil, Machine machine, std::uint64_t seed = 0);

  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] const Stencil& stencil() const { return stencil_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }
  /// What the random placement starts from.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

  /// Processes on a node as the algorithms for even nodes see it: the mean, rounded down.
  [[nodiscard]] Count mean_node_size() const { return grid_.size() / machine_.nodes(); }

 private:
  Grid grid_;
  Stencil stencil_;
  Machine machine_;
  std::uint64_t seed_;
};

}  // namespace halocline::place
