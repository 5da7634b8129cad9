// The messages of a plan counted one by one, process by process: what counting by kinds of nodes has to
// equal.
#pragma once

#include "plan/prediction/prediction.hpp"
#include "plan/prediction/sending.hpp"
#include "row_walk.hpp"
#include "schedule/by_node.hpp"
#include "schedule/on_grid.hpp"
#include "schedule/process/local.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

namespace halocline::plan::one_by_one {

/// Calls for each message that the cells of a row of the grid send; rows are those of RowWalk.
using RowOfMessages = std::function<void(Count row, const RowWalk::Visit& message)>;

/// One message to each process that gets something. @pre `placed` outlives it
[[nodiscard]] inline RowOfMessages direct_messages(const Placed& placed, Carried carried);

/// The messages between nodes that go together.
class NodeLinks {
 public:
  /// What one node has for another.
  struct Link {
    Count to;
    std::size_t number;  ///< In the order in which links were found.
    Traffic traffic = {};
  };

  /// Those up to `longest` bytes; unless that is any_length, only of nodes that gain by it
  /// (schedule::pays_by_node). What is gathered goes to a node once, however long it is. @pre `placed`
  /// outlives this object
  NodeLinks(const Placed& placed, Count longest);

  /// Is a message from a cell to one on another node among them?
  [[nodiscard]] bool contain(Count cell, Count peer, Count bytes) const;

  /// For each node its links, in the order of the nodes they lead to.
  [[nodiscard]] const std::vector<std::vector<Link>>& by_sender() const { return by_sender_; }

 private:
  [[nodiscard]] int node_of(Count cell) const { return nodes_[static_cast<std::size_t>(cell)]; }
  void number_processes();
  void add(Count cell, Count peer, Count bytes);
  /// Was it not there before?
  bool mark(std::size_t set, Count cell);
  [[nodiscard]] Count marked(std::size_t set) const;

  const NodeOfCell& nodes_;
  Count longest_;
  bool gathered_;
  /// To count processes, unless messages of any length go together and none is gathered: the number of each
  /// in its node, and for each link two sets of such numbers, of those that write and of those that read.
  std::vector<std::uint32_t> number_in_node_;
  std::size_t words_ = 0;             ///< Of one set.
  std::vector<std::uint64_t> marks_;  ///< A bit for each number.

  std::size_t found_ = 0;  ///< Links.
  std::vector<std::vector<Link>> by_sender_;
};

/// The first that leads to `to` or a later node.
template <class Links>
auto first_to(Links& links, Count to) {
  return std::lower_bound(links.begin(), links.end(), to,
                          [](const NodeLinks::Link& link, Count node) { return link.to < node; });
}

/// One block to everybody who gets it.
inline void gathered_messages(const Placed& placed, Carried carried, Count cell,
                              const RowWalk::Visit& message) {
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

inline RowOfMessages direct_messages(const Placed& placed, Carried carried) {
  if (placed.operation() == Operation::allgather)
    return [&placed, carried](Count row, const RowWalk::Visit& message) {
      const Count columns = placed.placement.grid().extents().back();
      for (Count cell = row * columns; cell < (row + 1) * columns; ++cell)
        gathered_messages(placed, carried, cell, message);
    };
  const Schedule direct = schedule::on(schedule::algorithm("direct"), placed.problem.stencil,
                                       Operation::alltoall, placed.placement.grid());
  auto walk = std::make_shared<RowWalk>(direct, placed.sizes(), carried, placed.node_of_cell);
  return [walk](Count row, const RowWalk::Visit& message) {
    walk->row(row, [&](Count cell, Count peer, Count bytes) {
      if (bytes > 0) message(cell, peer, bytes);
    });
  };
}

inline NodeLinks::NodeLinks(const Placed& placed, Count longest)
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

inline void NodeLinks::number_processes() {
  std::vector<std::uint32_t> so_far(by_sender_.size(), 0);
  number_in_node_.reserve(nodes_.size());
  for (const int node : nodes_) number_in_node_.push_back(so_far[static_cast<std::size_t>(node)]++);
  words_ = *std::max_element(so_far.begin(), so_far.end()) / 64 + 1;
}

inline bool NodeLinks::contain(Count cell, Count peer, Count bytes) const {
  if (longest_ == any_length) return true;
  if (!gathered_ && bytes > longest_) return false;
  const std::vector<Link>& links = by_sender_[static_cast<std::size_t>(node_of(cell))];
  const auto found = first_to(links, node_of(peer));
  return found != links.end() && found->to == node_of(peer);
}

inline void NodeLinks::add(Count cell, Count peer, Count bytes) {
  if (!gathered_ && bytes > longest_) return;
  std::vector<Link>& links = by_sender_[static_cast<std::size_t>(node_of(cell))];
  auto link = first_to(links, node_of(peer));
  if (link == links.end() || link->to != node_of(peer)) link = links.insert(link, {node_of(peer), found_++});
  const bool counts_writers = gathered_ || longest_ != any_length;
  const bool new_writer = counts_writers && mark(2 * link->number, cell);
  link->traffic += Traffic{1, gathered_ && !new_writer ? 0 : bytes};
  if (longest_ != any_length) mark(2 * link->number + 1, peer);
}

inline bool NodeLinks::mark(std::size_t set, Count cell) {
  if (marks_.size() < (set + 1) * words_) marks_.resize((set + 1) * words_);
  const std::uint32_t number = number_in_node_[static_cast<std::size_t>(cell)];
  std::uint64_t& word = marks_[set * words_ + number / 64];
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  return (std::exchange(word, word | bit) & bit) == 0;
}

inline Count NodeLinks::marked(std::size_t set) const {
  const auto first = marks_.begin() + static_cast<std::ptrdiff_t>(set * words_);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(words_), Count{0},
                         [](Count sum, std::uint64_t word) { return sum + std::popcount(word); });
}

struct Tally {
  LevelTraffic total, largest;
  Count largest_node_bytes = 0;
};

inline void take_larger(Traffic& most, const Traffic& other) {
  most.messages = std::max(most.messages, other.messages);
  most.bytes = std::max(most.bytes, other.bytes);
}

inline void take_larger(LevelTraffic& most, const LevelTraffic& other) {
  take_larger(most.self, other.self);
  take_larger(most.node, other.node);
  take_larger(most.network, other.network);
}

inline Traffic& level_of(LevelTraffic& traffic, const NodeOfCell& nodes, Count cell, Count peer) {
  if (cell == peer) return traffic.self;
  const bool same = nodes[static_cast<std::size_t>(cell)] == nodes[static_cast<std::size_t>(peer)];
  return same ? traffic.node : traffic.network;
}

/// What a message between nodes counts for, if some go with what their nodes have for each other.
using CountedAs = std::function<Traffic(Count cell, Count peer, Count bytes)>;

inline Tally tally(const Placed& placed, const std::vector<RowOfMessages>& walks,
                   const CountedAs& counted_as) {
  Tally result;
  Counts leaving(static_cast<std::size_t>(placed.problem.machine.nodes()), 0);
  const Grid& grid = placed.placement.grid();
  const Count columns = grid.extents().back();
  std::vector<LevelTraffic> processes;
  for (Count first = 0; first < grid.size(); first += columns) {
    processes.assign(static_cast<std::size_t>(columns), {});
    for (const RowOfMessages& walk : walks)
      walk(first / columns, [&](Count cell, Count peer, Count bytes) {
        LevelTraffic& sent = processes[static_cast<std::size_t>(cell - first)];
        Traffic& level = level_of(sent, placed.node_of_cell, cell, peer);
        level += &level == &sent.network ? counted_as(cell, peer, bytes) : Traffic{1, bytes};
      });
    for (std::size_t x = 0; x < processes.size(); ++x) {
      const int node = placed.node_of_cell[static_cast<std::size_t>(first) + x];
      leaving[static_cast<std::size_t>(node)] += processes[x].network.bytes;
      result.total += processes[x];
      take_larger(result.largest, processes[x]);
    }
  }
  result.largest_node_bytes = *std::max_element(leaving.begin(), leaving.end());
  return result;
}

inline Tally count_messages(const Placed& placed, const std::vector<RowOfMessages>& walks) {
  return tally(placed, walks, [](Count, Count, Count bytes) { return Traffic{1, bytes}; });
}

inline RowOfMessages messages_of(const Placed& placed, const Schedule& schedule, Carried carried) {
  auto walk = std::make_shared<RowWalk>(schedule, placed.sizes(), carried, placed.node_of_cell);
  return [walk](Count row, const RowWalk::Visit& message) { walk->row(row, message); };
}

/// Of a schedule that forwards what is gathered: a block may be for several others.
inline RowOfMessages forwarded_gathers(const Placed& placed, const Schedule& schedule) {
  return [&placed, &schedule](Count row, const RowWalk::Visit& message) {
    const Grid& grid = placed.placement.grid();
    const auto node = [&](Count cell) { return placed.node_of_cell[static_cast<std::size_t>(cell)]; };
    const Count block = placed.sizes().bytes(0, grid.cell(0));
    const Count columns = grid.extents().back();
    for (Count cell = row * columns; cell < (row + 1) * columns; ++cell) {
      const LocalSchedule local(schedule, grid, cell,
                                [&](Count origin, Count target) { return node(origin) != node(target); });
      for (std::size_t r = 0; r < local.rounds(); ++r)
        if (const LocalSchedule::Round round = local.round(r); round.to != LocalSchedule::nobody)
          message(cell, round.to, block * std::ssize(round.sends));
    }
  };
}

/// One voice a node for the messages of NodeLinks: all from one node to another together. The messages of a
/// node are shared out among its processes.
inline Tally count_by_node(const Placed& placed, Count longest) {
  const NodeLinks links(placed, longest);
  const bool gathered = placed.operation() == Operation::allgather;
  std::set<std::pair<Count, int>> reached;  // nodes that have a cell's block, which they get once
  Tally counted = tally(placed, {direct_messages(placed, Carried::all)},
                        [&](Count cell, Count peer, Count bytes) -> Traffic {
                          if (!links.contain(cell, peer, bytes)) return {1, bytes};
                          const int node = placed.node_of_cell[static_cast<std::size_t>(peer)];
                          return {0, gathered && !reached.emplace(cell, node).second ? 0 : bytes};
                        });
  const Runs& sizes = placed.problem.machine.node_sizes();
  Count largest_share = 0;
  for (std::size_t n = 0; n < links.by_sender().size(); ++n) {
    Count together = 0;
    for (const NodeLinks::Link& link : links.by_sender()[n])
      together += schedule::node_messages(link.traffic.bytes);
    counted.total.network.messages += together;
    largest_share = std::max(largest_share, divide_up(together, sizes[static_cast<Count>(n)]));
  }
  counted.largest.network.messages += largest_share;
  return counted;
}

inline Tally counted(const Placed& placed, ScheduleChoice schedule, const LevelCosts& prices) {
  if (schedule == ScheduleChoice::node) return count_by_node(placed, any_length);
  if (schedule == ScheduleChoice::mixed) return count_by_node(placed, schedule::longest_by_node(prices));
  if (!combines(schedule)) return count_messages(placed, {direct_messages(placed, Carried::all)});
  // What stays on a node takes no part in combining.
  return count_messages(placed,
                        {direct_messages(placed, Carried::staying),
                         placed.operation() == Operation::allgather
                             ? forwarded_gathers(placed, placed.schedule(name_of(schedule)))
                             : messages_of(placed, placed.schedule(name_of(schedule)), Carried::leaving)});
}

inline Tally plain(const Placed& placed) {
  const Schedule plain = schedule::algorithm("direct").make(placed.problem.stencil, Operation::alltoall);
  const RowOfMessages all = messages_of(placed, plain, Carried::all);
  return count_messages(placed, {[&](Count row, const RowWalk::Visit& message) {
                          all(row, [&](Count cell, Count peer, Count bytes) {
                            if (bytes > 0) message(cell, peer, bytes);
                          });
                        }});
}

}  // namespace halocline::plan::one_by_one
