// SPDX-License-Identifier: BSD-3-Clause
#include "network/routing/task_messages.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <cmath>

namespace halocline {

TaskMessages::TaskMessages(Count tasks, std::vector<TaskMessage> messages)
    : tasks_(tasks), source_(std::move(messages)) {
  require(tasks >= 1, "messages of ", tasks, " tasks; it takes at least 1");
  for (const TaskMessage& message : std::get<Listed>(source_)) {
    for (const Count task : {message.from, message.to})
      require(0 <= task && task < tasks, "a message from task ", message.from, " to ", message.to,
              ", which are not both in 0..", tasks - 1);
    require(std::isfinite(message.weight) && message.weight > 0, "the message from task ", message.from,
            " to ", message.to, " has the weight ", message.weight, ", which is not positive and finite");
  }
}

TaskMessages::TaskMessages(OfStencil source) : tasks_(source.grid.size()), source_(std::move(source)) {}

TaskMessages TaskMessages::of_stencil(Grid grid, Stencil stencil) {
  if (grid.dimensions() != stencil.dimensions())
    fail(Fault::invalid_dimensions, "a stencil of ", stencil.dimensions(), " dimensions on a grid of ",
         grid.dimensions(), "; they must be the same");
  return TaskMessages(OfStencil{std::move(grid), std::move(stencil)});
}

}  // namespace halocline
