// SPDX-License-Identifier: BSD-3-Clause
#include "network/mapping.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "network/mapping_sides.hpp"

#include <numeric>

namespace halocline::network {

Counts map_tasks(const Points& tasks, const Points& cores, const MapOptions& options) {
  const MappingSides sides(tasks, cores, options);
  const auto in_order = [](std::size_t dimensions) {
    std::vector<std::size_t> order(dimensions);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  };
  return sides.matched(sides.task_parts(in_order(tasks.dimensions())),
                       sides.core_parts(in_order(cores.dimensions())));
}

Counts new_ranks(std::span<const Count> core_of_task, Count cores) {
  const auto tasks = count_of(core_of_task);
  require(tasks <= cores, tasks, " tasks on ", cores,
          " cores have no ranks of their own; it takes a core each");
  Counts rank_of(to_size(cores), -1);
  for (Count task = 0; task < tasks; ++task) {
    const Count core = core_of_task[to_index(task)];
    require(0 <= core && core < cores, "task ", task, " is on core ", core, ", which is not in 0..",
            cores - 1);
    Count& rank = rank_of[to_index(core)];
    require(rank < 0, "tasks ", rank, " and ", task, " are both on core ", core);
    rank = task;
  }
  Count next = tasks;
  for (Count& rank : rank_of)
    if (rank < 0) rank = next++;
  return rank_of;
}

}  // namespace halocline::network
