#include "plan/node_links.hpp"

#include "halocline/schedule/on_grid.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace halocline::plan {
namespace {

/// The first that leads to `to` or a later node.
template <class Links>
auto first_to(Links& links, Count to) {
  return std::lower_bound(links.begin(), links.end(), to,
                          [](const NodeLinks::Link& link, Count node) { return link.to < node; });
}

}  // namespace

Schedule direct_on(const Placed& placed) {
  return schedule::on(schedule::algorithm("direct"), placed.problem.stencil, Operation::alltoall,
                      placed.placement.grid());
}

NodeLinks::NodeLinks(const Placed& placed, Count longest)
    : nodes_(placed.node_of_cell),
      longest_(longest),
      by_sender_(static_cast<std::size_t>(placed.problem.machine.nodes())) {
  const bool all = longest == any_length;
  if (!all) number_processes();
  MessageWalk walk(direct_on(placed), placed.sizes(), Carried::leaving, nodes_);
  for (Count row = 0; row < walk.rows(); ++row)
    walk.row(row, [&](Count cell, Count peer, Count bytes) { add(cell, peer, bytes); });
  if (all) return;
  for (std::vector<Link>& links : by_sender_)
    std::erase_if(links, [&](const Link& link) {
      return !schedule::pays_by_node(link.traffic.messages, marked(2 * link.number),
                                     marked(2 * link.number + 1));
    });
}

void NodeLinks::number_processes() {
  std::vector<std::uint32_t> so_far(by_sender_.size(), 0);
  number_in_node_.reserve(nodes_.size());
  for (const int node : nodes_) number_in_node_.push_back(so_far[static_cast<std::size_t>(node)]++);
  words_ = *std::max_element(so_far.begin(), so_far.end()) / 64 + 1;
}

bool NodeLinks::contain(Count cell, Count peer, Count bytes) const {
  if (longest_ == any_length) return true;
  if (bytes > longest_) return false;
  const std::vector<Link>& links = by_sender_[static_cast<std::size_t>(node_of(cell))];
  const auto found = first_to(links, node_of(peer));
  return found != links.end() && found->to == node_of(peer);
}

void NodeLinks::add(Count cell, Count peer, Count bytes) {
  if (bytes > longest_) return;
  std::vector<Link>& links = by_sender_[static_cast<std::size_t>(node_of(cell))];
  auto link = first_to(links, node_of(peer));
  if (link == links.end() || link->to != node_of(peer)) link = links.insert(link, {node_of(peer), found_++});
  link->traffic += place::Traffic{1, bytes};
  if (longest_ == any_length) return;
  mark(2 * link->number, cell);
  mark(2 * link->number + 1, peer);
}

void NodeLinks::mark(std::size_t set, Count cell) {
  if (marks_.size() < (set + 1) * words_) marks_.resize((set + 1) * words_);
  const std::uint32_t number = number_in_node_[static_cast<std::size_t>(cell)];
  marks_[set * words_ + number / 64] |= std::uint64_t{1} << number % 64;
}

Count NodeLinks::marked(std::size_t set) const {
  const auto first = marks_.begin() + static_cast<std::ptrdiff_t>(set * words_);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(words_), Count{0},
                         [](Count sum, std::uint64_t word) { return sum + std::popcount(word); });
}

}  // namespace halocline::plan
