// SPDX-License-Identifier: BSD-3-Clause
#include "network/mapping_problem.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "network/mapping_sides.hpp"
#include "network/routing/metrics.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace halocline::network {
namespace {

/// Partitions of the tasks that are kept while rotations are compared: all those of four dimensions.
constexpr std::size_t most_kept = 24;

Count factorial(std::size_t n) {
  Count product = 1;
  for (std::size_t factor = 2; factor <= n; ++factor) product = checked_multiply(product, to_count(factor));
  return product;
}

/// Permutation number `number` of 0..size - 1, in lexicographic order.
std::vector<std::size_t> permutation(Count number, std::size_t size) {
  std::vector<std::size_t> left(size);
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::vector<std::size_t> result;
  while (!left.empty()) {
    const Count others = factorial(left.size() - 1);
    const auto place = left.begin() + to_count(number / others);
    number %= others;
    result.push_back(*place);
    left.erase(place);
  }
  return result;
}

}  // namespace

/// Of each node's cores no more than there are tasks can be of use, so no more are looked at. They are the
/// first ones of their node.
struct MappingProblem::State {
  MappingSides sides;
  TaskMessages messages;
  Network network;
  Counts node_of_core;  ///< Of those that are looked at.
  Count cores;          ///< Of each node, and how many of them are looked at; 1 and 1 if nodes differ.
  Count looked_at;
  Aim aim;

  [[nodiscard]] Counts node_of(Counts tasks) const {
    for (Count& core : tasks) core = node_of_core[to_index(core)];
    return tasks;
  }
};

Score score_of(const TaskMessages& messages, const Network& network, std::span<const Count> node_of_task,
               Aim aim, Count rotation) {
  if (aim == Aim::weighted_hops)
    return {0, measure_hops(messages, network, node_of_task).weighted_hops, rotation};
  const Metrics metrics = measure(messages, network, node_of_task);
  return {metrics.max_latency, metrics.weighted_hops, rotation};
}

MappingProblem::MappingProblem(const Points& tasks, TaskMessages messages, const Allocation& allocation,
                               const Counts& cores_per_node, const MachineView& view,
                               const MapOptions& options, Aim aim) {
  require(count_of(tasks) == messages.tasks(), "there are points of ", tasks.size(),
          " tasks, but messages of ", messages.tasks());
  const Count cores = cores_per_node.size() == 1 ? cores_per_node.front() : 1;
  // Cores have numbers, node by node.
  (void)checked_multiply(cores, count_of(allocation.nodes()));
  const Count looked_at = std::min(cores, messages.tasks());
  const Counts seen = cores_per_node.size() == 1 ? Counts{looked_at} : cores_per_node;
  state_ = std::make_shared<const State>(
      State{MappingSides(tasks, core_points(allocation, seen, view), options), std::move(messages),
            allocation.network(), node_of_core(allocation, seen), cores, looked_at, aim});
}

Count MappingProblem::rotations() const {
  try {
    return checked_multiply(factorial(state_->sides.task_dimensions()),
                            factorial(state_->sides.core_dimensions()));
  } catch (const Error&) {
    fail(Fault::unsupported, "the rotations of ", state_->sides.task_dimensions(), " by ",
         state_->sides.core_dimensions(), " dimensions cannot be counted in 64 bits");
  }
}

Rotation MappingProblem::rotation(Count number) const {
  const Count of_tasks = factorial(state_->sides.task_dimensions());
  return {permutation(number % of_tasks, state_->sides.task_dimensions()),
          permutation(number / of_tasks, state_->sides.core_dimensions())};
}

Counts MappingProblem::core_of_task(Count number) const {
  const auto [task_dimensions, core_dimensions] = rotation(number);
  Counts cores = state_->sides.matched(state_->sides.task_parts(task_dimensions),
                                       state_->sides.core_parts(core_dimensions));
  for (Count& core : cores) core = core / state_->looked_at * state_->cores + core % state_->looked_at;
  return cores;
}

Counts MappingProblem::node_of_task(std::span<const Count> core_of_task) const {
  Counts cores(core_of_task.begin(), core_of_task.end());
  for (Count& core : cores)
    core = core / state_->cores * state_->looked_at + std::min(core % state_->cores, state_->looked_at - 1);
  return state_->node_of(std::move(cores));
}

Score MappingProblem::evaluate(Count number) const { return best(number, number + 1); }

Score MappingProblem::best(Count first, Count last) const {
  const MappingSides& sides = state_->sides;
  std::map<std::vector<std::size_t>, PartNumbers> kept;
  std::vector<std::size_t> cores_seen;
  PartNumbers core_parts;
  std::optional<Score> least;
  for (Count number = first; number < last; ++number) {
    const auto [task_dimensions, core_dimensions] = rotation(number);
    if (core_dimensions != cores_seen) {
      core_parts = sides.core_parts(core_dimensions);
      cores_seen = core_dimensions;
    }
    auto task_parts = kept.find(task_dimensions);
    if (task_parts == kept.end()) {
      if (kept.size() == most_kept) kept.clear();
      task_parts = kept.emplace(task_dimensions, sides.task_parts(task_dimensions)).first;
    }
    const Counts nodes = state_->node_of(sides.matched(task_parts->second, core_parts));
    const Score score = score_of(state_->messages, state_->network, nodes, state_->aim, number);
    least = least ? std::min(*least, score) : score;
  }
  return *least;
}

}  // namespace halocline::network
