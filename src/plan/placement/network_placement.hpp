// SPDX-License-Identifier: BSD-3-Clause
// Stencil placement inside the nodes, geometric mapping between them: the cells that a placement gives to one
// node stay together, and whole nodes change places so that messages travel less far on the network.
#pragma once

#include "halocline/describe/allocation.hpp"
#include "halocline/place/placement.hpp"
#include "halocline/plan/plan.hpp"
#include "network/mapping_problem.hpp"
#include "place/problem/problem.hpp"

#include <memory>
#include <string>

namespace halocline::plan {

/// A placement that knows the network.
struct NetworkPlacement {
  Placement placement;
  Counts group_of_node;  ///< Each node has the cells that this node had in the placement before.
  network::Score score;  ///< By the aim of the variant; its rotation is the best, or NetworkProblem::unmoved.
  network::Score score_before;
};

/// What became of it, as plans tell it. `mapping` is a name of network::variants().
[[nodiscard]] OnNetwork summary(const Allocation& allocation, std::string mapping,
                                const NetworkPlacement& fitted);

/// A placement whose nodes shall change places on a network. An immutable value, cheap to copy.
///
/// The cells of each node are one task, at their centre of mass, that sends what they send to other nodes;
/// tasks are mapped to nodes by network::MappingProblem. Only nodes that are alike change places: as many
/// ranks, in the same groups inside. Where nodes differ, those of one kind are matched in the order in which
/// the mapping numbers them. So every node has as many cells as before, and the costs of the nodes and of all
/// levels inside them are the same, except that they belong to other nodes; levels above the nodes may
/// change.
class NetworkProblem {
 public:
  /// The number that stands for leaving everything as it is.
  static constexpr Count unmoved = -1;

  /// `allocation` has the nodes of the machine, in its order. O(p k) time and memory for the node of each
  /// cell while it lasts, O(nodes and pairs of them that talk) afterwards.
  /// Throws Error{invalid_argument} if placement or allocation do not fit the problem, most_rotations is
  /// below 1, or there is no such variant; as network::MappingProblem.
  NetworkProblem(const place::Problem& problem, const Placement& placement, const Allocation& allocation,
                 const NetworkOptions& options = {});

  /// How many rotations there are to try, at least 1.
  [[nodiscard]] Count rotations() const;

  /// The least score of the rotations first..last - 1 and of leaving everything as it is, which wins among
  /// equals. One process's share of the work: any split, followed by a minimum, gives the same.
  /// @pre 0 <= first <= last <= rotations()
  [[nodiscard]] network::Score best(Count first, Count last) const;

  /// The placement after the rotation of that number, or `unmoved`. @pre -1 <= rotation < rotations()
  /// Look-ups cost those of the placement before and O(log of the variety of node sizes).
  [[nodiscard]] NetworkPlacement placed(Count rotation) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// The best of all rotations: never worse, by the aim of the variant, than `placement`. Deterministic, no
/// communication. Throws as NetworkProblem.
[[nodiscard]] NetworkPlacement place_on_network(const place::Problem& problem, const Placement& placement,
                                                const Allocation& allocation,
                                                const NetworkOptions& options = {});

}  // namespace halocline::plan
