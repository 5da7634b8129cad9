#include "plan/node_links.hpp"

#include "halocline/schedule/on_grid.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <utility>

namespace halocline::plan {
namespace {

/// The first that leads to `to` or a later node.
template <class Links>
auto first_to(Links& links, Count to) {
  return std::lower_bound(links.begin(), links.end(), to,
                          [](const NodeLinks::Link& link, Count node) { return link.to < node; });
}

/// One block to everybody who gets it.
void gathered_messages(const Placed& placed, Carried carried, Count cell,
                       const MessageWalk::Message& message) {
  const Grid& grid = placed.placement.grid();
  const Cell coordinates = grid.cell(cell);
  const Count bytes = placed.sizes().bytes(0, coordinates);
  Counts peers;
  for (const Offset& offset : placed.problem.stencil.offsets())
    if (const Count peer = grid.index_at(coordinates, offset); peer != Lattice::nowhere)
      peers.push_back(peer);
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  const auto node = [&](Count of) { return placed.node_of_cell[static_cast<std::size_t>(of)]; };
  for (const Count peer : peers) {
    const bool stays = node(peer) == node(cell);
    if (carried == Carried::all || stays == (carried == Carried::staying)) message(cell, peer, bytes);
  }
}

}  // namespace

RowOfMessages direct_messages(const Placed& placed, Carried carried) {
  if (placed.operation() == Operation::allgather)
    return [&placed, carried](Count row, const MessageWalk::Message& message) {
      const Count columns = placed.placement.grid().extents().back();
      for (Count cell = row * columns; cell < (row + 1) * columns; ++cell)
        gathered_messages(placed, carried, cell, message);
    };
  const Schedule direct = schedule::on(schedule::algorithm("direct"), placed.problem.stencil,
                                       Operation::alltoall, placed.placement.grid());
  auto walk = std::make_shared<MessageWalk>(direct, placed.sizes(), carried, placed.node_of_cell);
  return [walk](Count row, const MessageWalk::Message& message) {
    walk->row(row, [&](Count cell, Count peer, Count bytes) {
      if (bytes > 0) message(cell, peer, bytes);
    });
  };
}

NodeLinks::NodeLinks(const Placed& placed, Count longest)
    : nodes_(placed.node_of_cell),
      longest_(longest),
      gathered_(placed.operation() == Operation::allgather),
      by_sender_(static_cast<std::size_t>(placed.problem.machine.nodes())) {
  const bool all = longest == any_length;
  if (!all || gathered_) number_processes();
  const RowOfMessages messages = direct_messages(placed, Carried::leaving);
  const Grid& grid = placed.placement.grid();
  for (Count row = 0; row < grid.size() / grid.extents().back(); ++row)
    messages(row, [&](Count cell, Count peer, Count bytes) { add(cell, peer, bytes); });
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
  if (!gathered_ && bytes > longest_) return false;
  const std::vector<Link>& links = by_sender_[static_cast<std::size_t>(node_of(cell))];
  const auto found = first_to(links, node_of(peer));
  return found != links.end() && found->to == node_of(peer);
}

void NodeLinks::add(Count cell, Count peer, Count bytes) {
  if (!gathered_ && bytes > longest_) return;
  std::vector<Link>& links = by_sender_[static_cast<std::size_t>(node_of(cell))];
  auto link = first_to(links, node_of(peer));
  if (link == links.end() || link->to != node_of(peer)) link = links.insert(link, {node_of(peer), found_++});
  const bool counts_writers = gathered_ || longest_ != any_length;
  const bool new_writer = counts_writers && mark(2 * link->number, cell);
  link->traffic += place::Traffic{1, gathered_ && !new_writer ? 0 : bytes};
  if (longest_ != any_length) mark(2 * link->number + 1, peer);
}

bool NodeLinks::mark(std::size_t set, Count cell) {
  if (marks_.size() < (set + 1) * words_) marks_.resize((set + 1) * words_);
  const std::uint32_t number = number_in_node_[static_cast<std::size_t>(cell)];
  std::uint64_t& word = marks_[set * words_ + number / 64];
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  return (std::exchange(word, word | bit) & bit) == 0;
}

Count NodeLinks::marked(std::size_t set) const {
  const auto first = marks_.begin() + static_cast<std::ptrdiff_t>(set * words_);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(words_), Count{0},
                         [](Count sum, std::uint64_t word) { return sum + std::popcount(word); });
}

}  // namespace halocline::plan
