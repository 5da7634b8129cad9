// SPDX-License-Identifier: BSD-3-Clause
// Who sends how much to whom: the task communication graph of "Exploiting Geometric Partitioning in Task
// Mapping for Parallel Computers", section 3.
#pragma once

#include "base/numbers.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"

#include <variant>
#include <vector>

namespace halocline {

/// One message of a task to another.
struct TaskMessage {
  Count from;
  Count to;
  double weight = 1;  ///< Its size, in any unit.
  bool operator==(const TaskMessage&) const = default;
};

/// The messages of all tasks of an application. Those of a stencil are not stored.
class TaskMessages {
 public:
  /// Throws Error{invalid_argument} for fewer than 1 task, a task that is not in 0..tasks - 1, or a weight
  /// that is not positive and finite.
  TaskMessages(Count tasks, std::vector<TaskMessage> messages);

  /// Every cell of the grid sends along every offset of the stencil, except beyond an open border. Tasks are
  /// the cells, row by row. Throws Error{invalid_dimensions} unless both have the same dimensions.
  [[nodiscard]] static TaskMessages of_stencil(Grid grid, Stencil stencil);

  [[nodiscard]] Count tasks() const { return tasks_; }

  /// The messages from + i -> to + i for all i in 0..length - 1, each of the same weight.
  struct Run {
    Count from;
    Count to;
    Count length;
    double weight;
  };

  /// Calls visit(run) for runs that together are all messages.
  template <class Visit>
  void for_each_run(const Visit& visit) const;

 private:
  struct OfStencil {
    Grid grid;
    Stencil stencil;
  };
  using Listed = std::vector<TaskMessage>;

  explicit TaskMessages(OfStencil source);

  /// The runs of one offset below the cells that agree in the dimensions before `dimension`.
  template <class Visit>
  static void runs_of_offset(const Grid& grid, const Offset& offset, double weight, std::size_t dimension,
                             std::size_t last, Run run, const Visit& visit);

  Count tasks_;
  std::variant<Listed, OfStencil> source_;
};

template <class Visit>
void TaskMessages::runs_of_offset(const Grid& grid, const Offset& offset, double weight,
                                  std::size_t dimension, std::size_t last, Run run, const Visit& visit) {
  // run.length is the number of cells below one coordinate of the dimension before.
  const Count extent = grid.extents()[dimension];
  const Count stride = run.length / extent;
  const Count step = offset[dimension];
  const auto cells = [&](Count from, Count to, Count coordinates) {
    const Run inner{run.from + from * stride, run.to + to * stride, coordinates * stride, weight};
    if (dimension == last) return visit(inner);
    for (Count x = 0; x < coordinates; ++x)
      runs_of_offset(grid, offset, weight, dimension + 1, last,
                     Run{inner.from + x * stride, inner.to + x * stride, stride, weight}, visit);
  };
  if (grid.periodic(dimension)) {
    const Count shift = (step % extent + extent) % extent;
    if (shift < extent) cells(0, shift, extent - shift);
    if (shift > 0) cells(extent - shift, 0, shift);
  } else if (step > -extent && step < extent) {
    if (step >= 0)
      cells(0, step, extent - step);
    else
      cells(-step, 0, extent + step);
  }
}

template <class Visit>
void TaskMessages::for_each_run(const Visit& visit) const {
  if (const auto* listed = std::get_if<Listed>(&source_)) {
    for (const TaskMessage& message : *listed) visit(Run{message.from, message.to, 1, message.weight});
    return;
  }
  const auto& [grid, stencil] = std::get<OfStencil>(source_);
  for (std::size_t n = 0; n < stencil.size(); ++n) {
    const Offset& offset = stencil.offsets()[n];
    // Behind the last dimension in which it moves, cells stay side by side.
    std::size_t last = grid.dimensions() - 1;
    while (last > 0 && offset[last] == 0) --last;
    runs_of_offset(grid, offset, to_double(stencil.weights()[n]), 0, last, Run{0, 0, grid.size(), 0}, visit);
  }
}

}  // namespace halocline
