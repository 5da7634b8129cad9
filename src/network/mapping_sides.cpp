// SPDX-License-Identifier: BSD-3-Clause
#include "network/mapping_sides.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::network {

MappingSides::MappingSides(const Points& tasks, const Points& cores, const MapOptions& options)
    : orderings_(ordering_pair(options.ordering, tasks.dimensions(), cores.dimensions())),
      options_(options),
      parts_(to_count(std::min(tasks.size(), cores.size()))),
      tasks_(ranked(tasks)) {
  require(options.task_weights.empty() || options.task_weights.size() == tasks.size(),
          options.task_weights.size(), " weights for ", tasks.size(),
          " tasks; it takes one for each task, or none");
  if (tasks.size() <= cores.size()) options_.task_weights.clear();  // Every task has a core of its own.
  if (tasks.size() < cores.size()) {
    chosen_ = closest_cores(cores, parts_);
    cores_ = ranked(cores.only(chosen_));
  } else {
    cores_ = ranked(cores);
  }
}

PartNumbers MappingSides::task_parts(std::span<const std::size_t> dimensions) const {
  return partition_ranked(tasks_, dimensions, parts_, *orderings_.tasks, options_.cuts,
                          options_.task_weights);
}

PartNumbers MappingSides::core_parts(std::span<const std::size_t> dimensions) const {
  return partition_ranked(cores_, dimensions, parts_, *orderings_.cores, options_.cuts);
}

Counts MappingSides::matched(const PartNumbers& task_parts, const PartNumbers& core_parts) const {
  std::vector<std::uint32_t> core_of_part(core_parts.size());
  for (std::size_t core = 0; core < core_parts.size(); ++core)
    core_of_part[core_parts[core]] = static_cast<std::uint32_t>(core);
  Counts core_of_task(task_parts.size());
  for (std::size_t task = 0; task < task_parts.size(); ++task) {
    const std::uint32_t core = core_of_part[task_parts[task]];
    core_of_task[task] = chosen_.empty() ? to_count(core) : chosen_[core];
  }
  return core_of_task;
}

}  // namespace halocline::network
