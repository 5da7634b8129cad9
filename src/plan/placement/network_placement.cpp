// SPDX-License-Identifier: BSD-3-Clause
#include "plan/placement/network_placement.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "network/routing/metrics.hpp"
#include "place/problem/rule.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/node_groups.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::plan {
namespace {

/// A placement whose nodes have changed places. @pre nodes that change places are of one size
class NodesExchanged : public Placement::Rule {
 public:
  NodesExchanged(Placement before, Runs sizes, Counts group_of_node)
      : before_(std::move(before)), sizes_(std::move(sizes)), group_of_node_(std::move(group_of_node)) {
    node_of_group_.resize(group_of_node_.size());
    for (std::size_t node = 0; node < group_of_node_.size(); ++node)
      node_of_group_[to_index(group_of_node_[node])] = to_count(node);
  }

  void locate(Rank rank, std::span<Count> cell) const override {
    before_.cell(moved(rank, group_of_node_), cell);
  }

  [[nodiscard]] Rank owner(std::span<const Count> cell) const override {
    return moved(before_.rank(cell), node_of_group_);
  }

  void owners(const Grid&, Count first, std::span<Rank> ranks) const override {
    before_.ranks(first, ranks);
    for (Rank& rank : ranks) rank = moved(rank, node_of_group_);
  }

 private:
  [[nodiscard]] Rank moved(Rank rank, const Counts& other) const {
    const Count node = sizes_.find(rank);
    return rank - sizes_.start(node) + sizes_.start(other[to_index(node)]);
  }

  Placement before_;
  Runs sizes_;
  Counts group_of_node_;
  Counts node_of_group_;
};

Counts in_order(Count count) {
  Counts numbers(to_size(count));
  std::iota(numbers.begin(), numbers.end(), Count{0});
  return numbers;
}

Counts sorted_by(Counts numbers, const Counts& keys) {
  std::sort(numbers.begin(), numbers.end(),
            [&](Count a, Count b) { return keys[to_index(a)] < keys[to_index(b)]; });
  return numbers;
}

/// The nodes of each kind, in increasing order.
std::vector<Counts> members_of_kinds(const Counts& kinds) {
  std::vector<Counts> members;
  for (std::size_t node = 0; node < kinds.size(); ++node) {
    const auto kind = to_index(kinds[node]);
    if (kind == members.size()) members.emplace_back();
    members[kind].push_back(to_count(node));
  }
  return members;
}

void require_fit(const place::Problem& problem, const Placement& placement, const Allocation& allocation,
                 const NetworkOptions& options) {
  require(placement.grid() == problem.grid(), "a placement on ", placement.grid().to_text(),
          " does not fit a problem on ", problem.grid().to_text());
  require(allocation.size() == problem.machine().nodes(), "the allocation has ", allocation.size(),
          " nodes, the machine ", problem.machine().nodes(), "; they must be the same");
  require(options.most_rotations >= 1, "at most ", options.most_rotations, " rotations; it takes at least 1");
}

}  // namespace

struct NetworkProblem::State {
  Placement placement;
  Runs sizes;
  std::vector<Counts> members;  ///< The nodes of each kind, and the groups: those that may change places.
  Allocation allocation;
  network::Variant way;
  Points nodes;
  NodeGroups groups;
  network::MappingProblem mapping;
  Count rotations;
  network::Score before;

  /// The node, as the machine numbers them, that each group goes to.
  [[nodiscard]] Counts node_of_group(Count rotation) const {
    if (rotation == unmoved) return in_order(sizes.size());
    if (members.size() == 1) return mapping.core_of_task(rotation);
    Counts together = matched_in_order(rotation);
    Counts apart = matched_apart(rotation);
    return score(apart, rotation) < score(together, rotation) ? apart : together;
  }

  /// All nodes are mapped as if they were alike; then, along the numbering of the parts, the i-th group of a
  /// kind goes to the i-th node of that kind. Good where the kinds are mixed.
  [[nodiscard]] Counts matched_in_order(Count rotation) const {
    const Counts part_of_node = network::partition(
        nodes.with_dimensions(mapping.rotation(rotation).core_dimensions), sizes.size(),
        *network::ordering_pair(way.options.ordering, groups.centres.dimensions(), nodes.dimensions()).cores,
        way.options.cuts);
    Counts part_of_group;
    for (const Count node : mapping.core_of_task(rotation))
      part_of_group.push_back(part_of_node[to_index(node)]);
    Counts matched(part_of_node.size());
    for (const Counts& of_kind : members) {
      const Counts group_order = sorted_by(of_kind, part_of_group);
      const Counts node_order = sorted_by(of_kind, part_of_node);
      for (std::size_t i = 0; i < of_kind.size(); ++i) matched[to_index(group_order[i])] = node_order[i];
    }
    return matched;
  }

  /// Each kind is mapped on its own. Good where each has a part of the machine for itself.
  [[nodiscard]] Counts matched_apart(Count rotation) const {
    const auto [task_dimensions, core_dimensions] = mapping.rotation(rotation);
    Counts matched(to_size(sizes.size()));
    for (const Counts& of_kind : members) {
      const Counts chosen =
          network::map_tasks(groups.centres.only(of_kind).with_dimensions(task_dimensions),
                             nodes.only(of_kind).with_dimensions(core_dimensions), way.options);
      for (std::size_t i = 0; i < of_kind.size(); ++i)
        matched[to_index(of_kind[i])] = of_kind[to_index(chosen[i])];
    }
    return matched;
  }

  [[nodiscard]] network::Score score(const Counts& node_of_group, Count rotation) const {
    return network::score_of(groups.messages, allocation.network(), mapping.node_of_task(node_of_group),
                             way.aim, rotation);
  }
};

OnNetwork summary(const Allocation& allocation, std::string mapping, const NetworkPlacement& fitted) {
  const auto plain = [](const network::Score& score) {
    return OnNetwork::Score{score.fullest_link, score.weighted_hops};
  };
  return {allocation.network().to_text(), std::move(mapping), plain(fitted.score),
          plain(fitted.score_before)};
}

NetworkProblem::NetworkProblem(const place::Problem& problem, const Placement& placement,
                               const Allocation& allocation, const NetworkOptions& options) {
  require_fit(problem, placement, allocation, options);
  const Machine& machine = problem.machine();
  const network::Variant& way = network::variant(name_of(options.variant));
  NodeGroups groups = node_groups(problem, placement);
  network::MappingProblem mapping(groups.centres, groups.messages, allocation, {1}, way.view, way.options,
                                  way.aim);
  const Count rotations = std::min(mapping.rotations(), options.most_rotations);
  State state{placement,
              machine.node_sizes(),
              members_of_kinds(node_kinds(machine)),
              allocation,
              way,
              network::node_points(allocation, way.view),
              std::move(groups),
              std::move(mapping),
              rotations,
              {}};
  state.before = state.score(state.node_of_group(unmoved), unmoved);
  state_ = std::make_shared<const State>(std::move(state));
}

Count NetworkProblem::rotations() const { return state_->rotations; }

network::Score NetworkProblem::best(Count first, Count last) const {
  network::Score least = state_->before;
  if (first == last) return least;
  if (state_->members.size() == 1) return std::min(least, state_->mapping.best(first, last));
  for (Count rotation = first; rotation < last; ++rotation)
    least = std::min(least, state_->score(state_->node_of_group(rotation), rotation));
  return least;
}

NetworkPlacement NetworkProblem::placed(Count rotation) const {
  const Counts node_of_group = state_->node_of_group(rotation);
  Counts group_of_node(node_of_group.size());
  for (std::size_t group = 0; group < node_of_group.size(); ++group)
    group_of_node[to_index(node_of_group[group])] = to_count(group);
  if (rotation == unmoved)
    return {state_->placement, std::move(group_of_node), state_->before, state_->before};
  Placement moved(state_->placement.grid(),
                  std::make_shared<NodesExchanged>(state_->placement, state_->sizes, group_of_node));
  return {std::move(moved), std::move(group_of_node), state_->score(node_of_group, rotation), state_->before};
}

NetworkPlacement place_on_network(const place::Problem& problem, const Placement& placement,
                                  const Allocation& allocation, const NetworkOptions& options) {
  const NetworkProblem mapping(problem, placement, allocation, options);
  return mapping.placed(mapping.best(0, mapping.rotations()).rotation);
}

}  // namespace halocline::plan
