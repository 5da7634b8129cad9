// SPDX-License-Identifier: BSD-3-Clause
// Mapping with all rotations of the coordinates, the best taken: section 4.3 of "Exploiting Geometric
// Partitioning in Task Mapping for Parallel Computers". The work can be shared out.
#pragma once

#include "network/mapping.hpp"
#include "network/points/machine_points.hpp"
#include "network/routing/task_messages.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <tuple>

namespace halocline::network {

/// What is better: fewer WeightedHops, as in the paper, or less time for the fullest link (MaxLatency of the
/// paper), and fewer WeightedHops among equals.
enum class Aim { weighted_hops, fullest_link };

/// A way to map, by the name it has in the paper.
struct Variant {
  std::string_view name;
  std::string_view source;
  MachineView view;
  MapOptions options;
  Aim aim = Aim::weighted_hops;
};

/// z2_1: bisection into halves. z2_2: also by the largest prime, and links as long as their bandwidth is
/// small. z2_3: also boxes of 2 x 2 x 8 routers; only for three dimensions. All shift and use FZ. links: as
/// z2_1, with the other aim.
[[nodiscard]] std::span<const Variant> variants();

/// The variant of that name. Throws Error{invalid_argument} that lists the names there are.
[[nodiscard]] const Variant& variant(std::string_view name);

/// The orders in which the dimensions of tasks and cores are seen.
struct Rotation {
  std::vector<std::size_t> task_dimensions;
  std::vector<std::size_t> core_dimensions;
  bool operator==(const Rotation&) const = default;
};

/// What a rotation is worth. Less is better; the lower number wins among equals, so that any split of the
/// rotations over processes, followed by a minimum, gives the same one.
struct Score {
  double fullest_link;  ///< 0 unless that is the aim.
  double weighted_hops;
  Count rotation;
  bool operator==(const Score&) const = default;
  bool operator<(const Score& other) const {
    return std::tie(fullest_link, weighted_hops, rotation) <
           std::tie(other.fullest_link, other.weighted_hops, other.rotation);
  }
};

/// What tasks on the given nodes are worth; `rotation` is passed on. Throws as measure().
[[nodiscard]] Score score_of(const TaskMessages& messages, const Network& network,
                             std::span<const Count> node_of_task, Aim aim, Count rotation);

/// Tasks that send messages, and the cores they shall go to. An immutable value, cheap to copy.
class MappingProblem {
 public:
  /// The tasks on the cores of an allocation, numbered node by node. `cores_per_node` has one entry, or one
  /// for each node. Throws Error{invalid_argument} if points and messages are not of as many tasks, or as
  /// core_points() and map_tasks().
  MappingProblem(const Points& tasks, TaskMessages messages, const Allocation& allocation,
                 const Counts& cores_per_node, const MachineView& view = {}, const MapOptions& options = {},
                 Aim aim = Aim::weighted_hops);

  /// All orders of task dimensions times all of core dimensions; number 0 changes nothing.
  /// Throws Error{unsupported} if they cannot be counted in 64 bits.
  [[nodiscard]] Count rotations() const;
  /// @pre 0 <= number < rotations(), here and below
  [[nodiscard]] Rotation rotation(Count number) const;

  /// The core of each task under the rotation of that number.
  [[nodiscard]] Counts core_of_task(Count number) const;
  /// The node of the network of each task, for measure().
  [[nodiscard]] Counts node_of_task(std::span<const Count> core_of_task) const;

  [[nodiscard]] Score evaluate(Count number) const;
  /// The least score of the rotations first..last - 1: one process's share of the work. Neighbouring
  /// rotations share partitions, so shares should be contiguous. @pre 0 <= first < last <= rotations()
  [[nodiscard]] Score best(Count first, Count last) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace halocline::network
