// SPDX-License-Identifier: BSD-3-Clause
#include "plan/transport/rating.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "schedule/by_node.hpp"
#include "schedule/process/local.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace halocline::plan {
namespace {

constexpr Count most_nodes = 64;
/// A choice shall take about a millisecond.
constexpr Count most_messages = 8192;
constexpr std::size_t most_forwarded = 1024;

double times(Count count, double price) { return to_double(count) * price; }

/// The sum of two numbers of bytes.
Count bytes_together(Count a, Count b) {
  Traffic sum{0, a};
  sum += {0, b};
  return sum.bytes;
}

/// The whole part of the product.
Count scaled(Count count, double factor) {
  constexpr double too_many = 9223372036854775808.0;
  const double product = times(count, factor);
  require(product < too_many, count, " bytes times ", factor, " do not fit in 64 bits; send smaller blocks");
  return static_cast<Count>(product);
}

/// The processes of the largest node, or `enough`, if it has no fewer.
Count largest_node(const Demand& demand, std::uint16_t enough) {
  if (to_size(demand.nodes) == demand.node_of.size()) return 1;  // each has its own
  std::vector<std::uint16_t> size_of(to_size(demand.nodes), 0);
  for (const int node : demand.node_of)
    if (std::uint16_t& size = size_of[to_index(node)]; size < enough) ++size;
  return *std::max_element(size_of.begin(), size_of.end());
}

/// The cells of some nodes, for each of them.
std::vector<std::vector<Count>> sampled_cells(const Demand& demand) {
  // From so many processes on the least sample is taken.
  const Count largest = largest_node(demand, most_messages);
  const Count processes = most_messages / count_of(demand.offsets);
  const Count taken = std::min<Count>(std::clamp(processes / largest, Count{2}, most_nodes), demand.nodes);
  std::vector<bool> is_taken(to_size(demand.nodes));
  for (Count i = 0; i < taken; ++i) is_taken[to_index(i * demand.nodes / taken)] = true;
  std::vector<std::vector<Count>> cells(to_size(taken));
  for (std::size_t cell = 0; cell < demand.node_of.size(); ++cell)
    if (const Count node = demand.node_of[cell]; is_taken[to_index(node)])
      cells[to_index(divide_up(node * taken, demand.nodes))].push_back(to_count(cell));
  return cells;
}

/// How many messages have to arrive one after the other, at most.
Count depth_of(const LocalSchedule& schedule) {
  Counts depth(schedule.rounds(), 0);
  Count most = 0;
  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const LocalSchedule::Round round = schedule.round(r);
    for (const std::int32_t before : round.after) depth[r] = std::max(depth[r], depth[to_index(before)]);
    const bool sends = round.to != LocalSchedule::nobody || round.from != LocalSchedule::nobody;
    most = std::max(most, depth[r] += sends ? 1 : 0);
  }
  return most;
}

/// Keeps the process that is busy for longer; a node waits for what is under way longest.
void raise(Seconds& slowest, const Seconds& other) {
  const double under_way = std::max(slowest.under_way, other.under_way);
  if (other.total() - other.under_way > slowest.total() - slowest.under_way) slowest = other;
  slowest.under_way = under_way;
}

}  // namespace

/// What one node has for another.
struct Rater::NodePair {
  int to;
  std::size_t price;
  Count pairs = 0, bytes = 0, writers = 0, readers = 0;
};

/// What is sent, by price.
struct Rater::Sent {
  Traffic self;
  std::array<Traffic, PairPrices::most> at{};
};

void Rater::add(Sent& sum, const Sent& sent) const {
  sum.self += sent.self;
  for (std::size_t p = 0; p < prices_.size(); ++p) sum.at[p] += sent.at[p];
}

Rater::Rater(const Demand& demand, const LevelCosts& prices)
    : demand_(demand), prices_(demand.node_of, demand.sites, prices) {
  for (const std::vector<Count>& cells : sampled_cells(demand)) {
    if (cells.empty()) continue;
    Node& node = sample_.emplace_back(Node{demand.node_of[to_index(cells.front())], {}});
    for (const Count cell : cells) node.processes.push_back(process(cell, Together::to_a_process));
  }
}

Rater::Process Rater::process(Count cell, Together together) const {
  struct BlockTo {
    Count key, peer, bytes;
  };
  std::vector<BlockTo> blocks;
  const std::vector<Offset>& offsets = demand_.offsets.offsets();
  const Cell coordinates = demand_.grid.cell(cell);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Count peer = demand_.grid.index_at(coordinates, offsets[i]);
    const Count bytes = peer == Lattice::nowhere ? 0 : demand_.bytes(cell, i);
    if (bytes == 0) continue;
    // What is at offset zero is one copy.
    const bool stays = std::all_of(offsets[i].begin(), offsets[i].end(), [](Count x) { return x == 0; });
    const Count direction = stays ? -1 : to_count(i);
    blocks.push_back({together == Together::to_a_process ? peer : direction, peer, bytes});
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const BlockTo& a, const BlockTo& b) { return a.key < b.key; });
  Process result{cell, {}, {}};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Count bytes = blocks[i].bytes;
    for (; i + 1 < blocks.size() && blocks[i + 1].key == blocks[i].key; ++i)
      if (demand_.operation == Operation::alltoall) bytes = bytes_together(bytes, blocks[i + 1].bytes);
    if (blocks[i].peer == cell)
      result.own += Traffic{1, bytes};
    else
      result.messages.push_back({blocks[i].peer, bytes, prices_.of(cell, blocks[i].peer)});
  }
  return result;
}

Rating Rater::slowest(const std::function<Rating(const Node&)>& rated, std::size_t step) const {
  Rating worst;
  bool first = true;
  for (std::size_t n = 0; n < sample_.size(); n += step) {
    const Node& node = sample_[n];
    Rating rating = rated(node);
    rating.node = node.number;
    const Count gathered = std::max(worst.gathered, rating.gathered);
    if (first || rating.seconds.total() > worst.seconds.total()) worst = rating;
    worst.gathered = gathered;
    first = false;
  }
  return worst;
}

LevelTraffic Rater::by_level(const Sent& sent) const {
  LevelTraffic traffic{sent.self, {}, {}};
  for (std::size_t p = 0; p < prices_.size(); ++p)
    (prices_.leaves(p) ? traffic.network : traffic.node) += sent.at[p];
  return traffic;
}

Seconds Rater::busy(const Sent& sent) const {
  Seconds seconds;
  seconds.copies = times(sent.self.bytes, prices_.on_node().byte_seconds);
  for (std::size_t p = 0; p < prices_.size(); ++p) {
    const auto& [messages, bytes] = sent.at[p];
    (prices_.leaves(p) ? seconds.network_messages : seconds.node_messages) +=
        times(messages, prices_[p].round_seconds);
    if (!prices_.leaves(p)) seconds.node_bytes += times(bytes, prices_[p].byte_seconds);
  }
  seconds.under_way = under_way(sent);
  return seconds;
}

double Rater::under_way(const Sent& sent) const {
  double staying = 0, leaving = 0;
  bool some_leave = false;
  for (std::size_t p = 0; p < prices_.size(); ++p) {
    if (sent.at[p].messages == 0) continue;
    double& longest = prices_.leaves(p) ? leaving : staying;
    longest = std::max(longest, prices_[p].latency_seconds);
    some_leave = some_leave || prices_.leaves(p);
  }
  return some_leave ? leaving : staying;
}

Rating Rater::of_node(const Seconds& slowest, const Sent& sent) const {
  Rating rating;
  rating.seconds = slowest;
  rating.sent = by_level(sent);
  for (std::size_t p = 0; p < prices_.size(); ++p)
    if (prices_.leaves(p)) rating.seconds.network_bytes += times(sent.at[p].bytes, prices_[p].byte_seconds);
  return rating;
}

Rating Rater::one_by_one(const Node& node) const {
  Seconds slowest;
  Sent all;
  for (const Process& process : node.processes) {
    Sent sent{process.own};
    for (const PricedMessage& message : process.messages) sent.at[message.price] += {1, message.bytes};
    raise(slowest, busy(sent));
    add(all, sent);
  }
  return of_node(slowest, all);
}

Rating Rater::plain() const {
  return slowest([&](const Node& node) {
    Node each{node.number, {}};
    for (const Process& merged : node.processes)
      each.processes.push_back(process(merged.cell, Together::in_a_direction));
    return one_by_one(each);
  });
}

Rating Rater::direct() const {
  return slowest([&](const Node& node) { return one_by_one(node); });
}

std::vector<Rater::NodePair> Rater::links(const Node& node, Count longest) const {
  struct LeavingMessage {
    int to;
    Count reader;
    std::size_t writer;
    Count bytes;
  };
  const bool gathered = demand_.operation == Operation::allgather;
  std::vector<LeavingMessage> leaving;
  for (std::size_t writer = 0; writer < node.processes.size(); ++writer)
    for (const PricedMessage& message : node.processes[writer].messages) {
      const int to = demand_.node_of[to_index(message.peer)];
      if (to != node.number && (gathered || message.bytes <= longest))
        leaving.push_back({to, message.peer, writer, message.bytes});
    }
  std::sort(leaving.begin(), leaving.end(), [](const LeavingMessage& a, const LeavingMessage& b) {
    return std::tie(a.to, a.reader, a.writer) < std::tie(b.to, b.reader, b.writer);
  });
  std::vector<NodePair> links;
  std::vector<int> last_link(node.processes.size(), -1);
  for (std::size_t i = 0; i < leaving.size(); ++i) {
    const LeavingMessage& message = leaving[i];
    if (links.empty() || links.back().to != message.to)
      links.push_back({message.to, prices_.of(node.processes[message.writer].cell, message.reader)});
    NodePair& link = links.back();
    const bool new_writer = std::exchange(last_link[message.writer], message.to) != message.to;
    ++link.pairs;
    link.writers += new_writer ? 1 : 0;
    link.readers += i == 0 || leaving[i - 1].reader != message.reader ? 1 : 0;
    // What is gathered goes to a node once.
    if (!gathered || new_writer) link.bytes = bytes_together(link.bytes, message.bytes);
  }
  if (longest != any_length)
    std::erase_if(links, [](const NodePair& link) {
      return !schedule::pays_by_node(link.pairs, link.writers, link.readers);
    });
  return links;
}

Rating Rater::together(const Node& node, Count longest) const {
  const std::vector<NodePair> together = links(node, longest);
  const auto goes_along = [&](const PricedMessage& message) {
    if (demand_.operation == Operation::alltoall && message.bytes > longest) return false;
    const int to = demand_.node_of[to_index(message.peer)];
    const auto link = std::lower_bound(together.begin(), together.end(), to,
                                       [](const NodePair& other, int number) { return other.to < number; });
    return link != together.end() && link->to == to;
  };
  Sent by_links;
  Count messages = 0, gathered = 0;
  for (const NodePair& link : together) {
    by_links.at[link.price] += {schedule::node_messages(link.bytes), link.bytes};
    messages += schedule::node_messages(link.bytes);
    gathered = bytes_together(gathered, link.bytes);
  }
  Seconds slowest;
  Sent all = by_links;
  for (const Process& process : node.processes) {
    Sent sent{process.own}, along;
    for (const PricedMessage& message : process.messages)
      (prices_.leaves(message.price) && goes_along(message) ? along : sent).at[message.price] +=
          {1, message.bytes};
    Seconds seconds = busy(sent);
    add(all, sent);
    if (const Count copied = by_level(along).network.bytes; copied > 0) {
      // Into the memory of the node, and out of that of the other.
      seconds.copies += 2 * times(copied, prices_.on_node().byte_seconds);
      add(along, sent);
      seconds.under_way = under_way(along) + 2 * prices_.on_node().latency_seconds;
    }
    raise(slowest, seconds);
  }
  // Processes share what goes from node to node, of each price its part.
  const Count share = divide_up(messages, std::ssize(node.processes));
  for (std::size_t p = 0; p < prices_.size(); ++p)
    if (const Count of_it = by_links.at[p].messages; of_it > 0)
      slowest.network_messages += times(share, prices_[p].round_seconds) * ratio_of(of_it, messages);
  Rating rating = of_node(slowest, all);
  rating.gathered = gathered;
  return rating;
}

Rating Rater::by_node(Count longest) const {
  return slowest([&](const Node& node) { return together(node, longest); });
}

Rating Rater::forwarding(const Node& node, const Schedule& schedule) const {
  const auto travels = [&](Count origin, Count target) { return !stays(origin, target); };
  const std::size_t taken =
      std::min(node.processes.size(), std::max<std::size_t>(1, most_forwarding() / sample_.size()));
  Seconds slowest;
  Sent all;
  for (std::size_t i = 0; i < taken; ++i) {
    const Process& process = node.processes[i * node.processes.size() / taken];
    Sent sent{process.own}, forwarded;
    for (const PricedMessage& message : process.messages)
      if (!prices_.leaves(message.price)) sent.at[message.price] += {1, message.bytes};
    const LocalSchedule local(schedule, demand_.grid, process.cell, travels);
    for (std::size_t r = 0; r < local.rounds(); ++r) {
      const LocalSchedule::Round round = local.round(r);
      for (const Count peer : {round.from, round.to})
        if (peer != LocalSchedule::nobody) ++forwarded.at[prices_.of(process.cell, peer)].messages;
      if (round.to == LocalSchedule::nobody) continue;
      Traffic message{1, 0};
      for (const Slot& slot : round.sends)
        message += {0, demand_.bytes(process.cell, to_index(local.block(slot)))};
      sent.at[prices_.of(process.cell, round.to)] += message;
    }
    Seconds seconds = busy(sent);
    if (const Count depth = depth_of(local); depth > 0)
      seconds.under_way =
          times(depth, by_level(forwarded).network.messages > 0 ? under_way(forwarded)
                                                                : prices_.between_nodes().latency_seconds);
    raise(slowest, seconds);
    add(all, sent);
  }
  // They stand for the others.
  if (taken < node.processes.size()) {
    const double factor = ratio_of(node.processes.size(), taken);
    const auto scale = [&](Traffic& traffic) {
      traffic = {scaled(traffic.messages, factor), scaled(traffic.bytes, factor)};
    };
    scale(all.self);
    for (Traffic& traffic : all.at) scale(traffic);
    // They need not be like the others: those at one side of a node may forward more than those at the other.
    if (demand_.operation == Operation::alltoall) raise_to_what_leaves(all, node);
  }
  return of_node(slowest, all);
}

void Rater::raise_to_what_leaves(Sent& sent, const Node& node) const {
  Count least = 0;
  for (const Process& process : node.processes)
    for (const PricedMessage& message : process.messages)
      if (prices_.leaves(message.price)) least = bytes_together(least, message.bytes);
  const Count found = by_level(sent).network.bytes;
  if (found == 0 || found >= least) return;
  const double factor = ratio_of(least, found);
  for (std::size_t p = 0; p < prices_.size(); ++p)
    if (prices_.leaves(p)) sent.at[p].bytes = scaled(sent.at[p].bytes, factor);
}

std::size_t Rater::most_forwarding() const {
  return std::max<std::size_t>(2, most_forwarded / demand_.offsets.size());
}

Rating Rater::combined(const Schedule& schedule) const {
  const std::size_t step = 1 + (sample_.size() - 1) / most_forwarding();
  return slowest([&](const Node& node) { return forwarding(node, schedule); }, step);
}

}  // namespace halocline::plan
