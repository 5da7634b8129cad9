// SPDX-License-Identifier: BSD-3-Clause
// Geometric task mapping: tasks and cores are cut into as many parts, and a task goes to the core of the same
// part. Algorithm 1 of "Exploiting Geometric Partitioning in Task Mapping for Parallel Computers".
#pragma once

#include "network/partition/partition.hpp"

#include <span>
#include <string>
#include <vector>

namespace halocline::network {

struct MapOptions {
  std::string ordering = "fz";  ///< A name of orderings(); what it stands for is ordering_pair().
  Cuts cuts = {};
  std::vector<double> task_weights = {};  ///< Work of each task, if there are more tasks than cores.

  bool operator==(const MapOptions&) const = default;
};

/// The core of each task: coordinates in, cores out.
///
/// As many tasks as cores: a bijection. More tasks: the tasks are partitioned and mapped at once, each core
/// gets its share of tasks or of their weights. Fewer tasks: closest_cores() first; the others stay idle.
/// Costs two partitions. Throws as partition() and ordering().
[[nodiscard]] Counts map_tasks(const Points& tasks, const Points& cores, const MapOptions& options = {});

/// The numbers, increasing, of `count` points that lie close together: k-means with one cluster of a fixed
/// size, started from the middle and from the corners, the tightest cluster taken.
/// Throws Error{invalid_argument} unless count is in 1..points.
[[nodiscard]] Counts closest_cores(const Points& cores, Count count);

/// The new rank of each process if process i runs on core i and shall become its task; idle cores get the
/// ranks after the last task. Throws Error{invalid_argument} if there are more tasks than cores, or two tasks
/// on one.
[[nodiscard]] Counts new_ranks(std::span<const Count> core_of_task, Count cores);

}  // namespace halocline::network
