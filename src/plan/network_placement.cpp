#include "halocline/plan/network_placement.hpp"

#include "halocline/base/error.hpp"
#include "halocline/network/metrics.hpp"
#include "plan/node_groups.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::plan {
namespace {

/// A placement whose nodes have changed places. @pre nodes that change places are of one size
class Exchanged : public Placement::Rule {
 public:
  Exchanged(Placement before, Runs sizes, Counts group_of_node)
      : before_(std::move(before)), sizes_(std::move(sizes)), group_of_node_(std::move(group_of_node)) {
    node_of_group_.resize(group_of_node_.size());
    for (std::size_t node = 0; node < group_of_node_.size(); ++node)
      node_of_group_[static_cast<std::size_t>(group_of_node_[node])] = static_cast<Count>(node);
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
    return rank - sizes_.start(node) + sizes_.start(other[static_cast<std::size_t>(node)]);
  }

  Placement before_;
  Runs sizes_;
  Counts group_of_node_;
  Counts node_of_group_;
};

Counts in_order(Count count) {
  Counts numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), Count{0});
  return numbers;
}

/// The numbers 0, 1, ... sorted by kind, then by place.
Counts sorted_by_kind(const Counts& kinds, const Counts& places) {
  Counts order = in_order(static_cast<Count>(kinds.size()));
  std::sort(order.begin(), order.end(), [&](Count a, Count b) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    return kinds[i] != kinds[j] ? kinds[i] < kinds[j] : places[i] < places[j];
  });
  return order;
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
  Placement before;
  Runs sizes;
  Counts kinds;
  bool alike;  ///< Is there one kind of node only?
  Allocation allocation;
  network::Variant way;
  NodeGroups groups;
  network::MappingProblem mapping;
  Count rotations;
  double hops_before;

  /// The node, as the machine numbers them, that each group goes to.
  [[nodiscard]] Counts node_of_group(Count rotation) const {
    if (rotation == unmoved) return in_order(sizes.size());
    Counts nodes = mapping.core_of_task(rotation);
    return alike ? nodes : matched_by_kind(nodes, rotation);
  }

  /// Along the numbering of parts, the i-th group of a kind goes to the i-th node of that kind.
  [[nodiscard]] Counts matched_by_kind(const Counts& wanted, Count rotation) const {
    const Points nodes = network::node_points(allocation, way.view);
    const auto orderings =
        network::ordering_pair(way.options.ordering, groups.centres.dimensions(), nodes.dimensions());
    const Counts part_of_node =
        network::partition(nodes.with_dimensions(mapping.rotation(rotation).core_dimensions), sizes.size(),
                           *orderings.cores, way.options.cuts);
    Counts part_of_group;
    for (const Count node : wanted) part_of_group.push_back(part_of_node[static_cast<std::size_t>(node)]);
    const Counts group_order = sorted_by_kind(kinds, part_of_group);
    const Counts node_order = sorted_by_kind(kinds, part_of_node);
    Counts matched(wanted.size());
    for (std::size_t i = 0; i < matched.size(); ++i)
      matched[static_cast<std::size_t>(group_order[i])] = node_order[i];
    return matched;
  }

  [[nodiscard]] double weighted_hops(const Counts& node_of_group) const {
    return network::measure_hops(groups.messages, allocation.network(), mapping.node_of_task(node_of_group))
        .weighted_hops;
  }
};

NetworkProblem::NetworkProblem(const place::Problem& problem, const Placement& placement,
                               const Allocation& allocation, const NetworkOptions& options) {
  require_fit(problem, placement, allocation, options);
  const Machine& machine = problem.machine();
  const network::Variant& way = network::variant(options.variant);
  Counts kinds = node_kinds(machine);
  const bool alike = *std::max_element(kinds.begin(), kinds.end()) == 0;
  NodeGroups groups = node_groups(problem, placement);
  network::MappingProblem mapping(groups.centres, groups.messages, allocation, {1}, way.view, way.options);
  const Count rotations = std::min(mapping.rotations(), options.most_rotations);
  State state{placement, machine.node_sizes(), std::move(kinds),   alike,     allocation,
              way,       std::move(groups),    std::move(mapping), rotations, 0};
  state.hops_before = state.weighted_hops(state.node_of_group(unmoved));
  state_ = std::make_shared<const State>(std::move(state));
}

Count NetworkProblem::rotations() const { return state_->rotations; }

network::Score NetworkProblem::best(Count first, Count last) const {
  network::Score least{state_->hops_before, unmoved};
  if (first == last) return least;
  if (state_->alike) return std::min(least, state_->mapping.best(first, last));
  for (Count rotation = first; rotation < last; ++rotation)
    least = std::min(least, {state_->weighted_hops(state_->node_of_group(rotation)), rotation});
  return least;
}

NetworkPlacement NetworkProblem::placed(Count rotation) const {
  const Counts node_of_group = state_->node_of_group(rotation);
  Counts group_of_node(node_of_group.size());
  for (std::size_t group = 0; group < node_of_group.size(); ++group)
    group_of_node[static_cast<std::size_t>(node_of_group[group])] = static_cast<Count>(group);
  if (rotation == unmoved)
    return {state_->before, std::move(group_of_node), unmoved, state_->hops_before, state_->hops_before};
  Placement moved(state_->before.grid(),
                  std::make_shared<Exchanged>(state_->before, state_->sizes, group_of_node));
  return {std::move(moved), std::move(group_of_node), rotation, state_->weighted_hops(node_of_group),
          state_->hops_before};
}

NetworkPlacement place_on_network(const place::Problem& problem, const Placement& placement,
                                  const Allocation& allocation, const NetworkOptions& options) {
  const NetworkProblem mapping(problem, placement, allocation, options);
  return mapping.placed(mapping.best(0, mapping.rotations()).rotation);
}

}  // namespace halocline::plan
