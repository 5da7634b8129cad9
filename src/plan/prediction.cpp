#include "plan/prediction.hpp"

#include "base/integers.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "halocline/schedule/on_grid.hpp"
#include "plan/node_links.hpp"

#include <algorithm>

namespace halocline::plan {
namespace {

/// Half a GiB for the nodes of their cells.
constexpr Count most_ranks = Count{1} << 27;

/// What one process sends. What goes with what its node has for another counts there alone.
struct ProcessTally {
  LevelTraffic sent;
  place::Traffic by_node;
};

/// What one process does, at its prices; bytes between nodes are paid for by the node.
using ProcessSeconds = std::function<Seconds(const ProcessTally&)>;

struct NodeTally {
  LevelTraffic sent;
  Seconds slowest;  ///< Of its processes.
};

struct Tally {
  LevelTraffic total, largest;
  std::vector<NodeTally> nodes;
};

void raise(place::Traffic& most, const place::Traffic& other) {
  most.messages = std::max(most.messages, other.messages);
  most.bytes = std::max(most.bytes, other.bytes);
}

void raise(LevelTraffic& most, const LevelTraffic& other) {
  raise(most.self, other.self);
  raise(most.node, other.node);
  raise(most.network, other.network);
}

place::Traffic& level_of(LevelTraffic& traffic, const NodeOfCell& nodes, Count cell, Count peer) {
  if (cell == peer) return traffic.self;
  const bool same = nodes[static_cast<std::size_t>(cell)] == nodes[static_cast<std::size_t>(peer)];
  return same ? traffic.node : traffic.network;
}

/// Does a message between nodes go with what its node has for the other?
using GoesByNode = std::function<bool(Count cell, Count peer, Count bytes)>;

Tally tally(const Placed& placed, std::vector<MessageWalk>& walks, const GoesByNode& goes_by_node,
            const ProcessSeconds& seconds_of) {
  Tally result;
  result.nodes.resize(static_cast<std::size_t>(placed.problem.machine.nodes()));
  const Count columns = walks.front().columns();
  std::vector<ProcessTally> processes;
  for (Count row = 0; row < walks.front().rows(); ++row) {
    const Count first = row * columns;
    processes.assign(static_cast<std::size_t>(columns), {});
    for (MessageWalk& walk : walks)
      walk.row(row, [&](Count cell, Count peer, Count bytes) {
        ProcessTally& process = processes[static_cast<std::size_t>(cell - first)];
        place::Traffic& level = level_of(process.sent, placed.node_of_cell, cell, peer);
        const bool by_node = &level == &process.sent.network && goes_by_node(cell, peer, bytes);
        (by_node ? process.by_node : level) += place::Traffic{1, bytes};
      });
    for (std::size_t x = 0; x < processes.size(); ++x) {
      NodeTally& node = result.nodes[placed.node_of_cell[static_cast<std::size_t>(first) + x]];
      const Seconds seconds = seconds_of(processes[x]);
      LevelTraffic& sent = processes[x].sent;
      sent.network.bytes += processes[x].by_node.bytes;
      node.sent += sent;
      raise(result.largest, sent);
      if (seconds.total() > node.slowest.total()) node.slowest = seconds;
    }
  }
  for (const NodeTally& node : result.nodes) result.total += node.sent;
  return result;
}

double times(Count count, double price) { return static_cast<double>(count) * price; }

/// What is the same however messages between nodes are sent.
Seconds on_node_seconds(const LevelTraffic& process, const LevelCosts& prices) {
  return {times(process.self.bytes, prices.on_node.byte_seconds),
          times(process.node.messages, prices.on_node.round_seconds),
          times(process.node.bytes, prices.on_node.byte_seconds), 0, 0};
}

/// The slowest node decides. `node_messages_seconds` is what a node adds for messages that it sends as one.
Prediction rated(const Tally& tally, const LevelCosts& prices,
                 const std::vector<double>& node_messages_seconds) {
  Prediction prediction{tally.total, tally.largest, 0, 0, {}, {}};
  double longest = -1;
  for (std::size_t n = 0; n < tally.nodes.size(); ++n) {
    const NodeTally& node = tally.nodes[n];
    prediction.largest_node_bytes = std::max(prediction.largest_node_bytes, node.sent.network.bytes);
    Seconds seconds = node.slowest;
    seconds.network_bytes = times(node.sent.network.bytes, prices.between_nodes.byte_seconds);
    if (!node_messages_seconds.empty()) seconds.network_messages += node_messages_seconds[n];
    if (seconds.total() <= longest) continue;
    longest = seconds.total();
    prediction.bottleneck_node = static_cast<Count>(n);
    prediction.bottleneck = node.sent;
    prediction.seconds = seconds;
  }
  return prediction;
}

Prediction predict_messages(const Placed& placed, std::vector<MessageWalk> walks, const LevelCosts& prices) {
  const auto none = [](Count, Count, Count) { return false; };
  return rated(tally(placed, walks, none,
                     [&](const ProcessTally& process) {
                       Seconds seconds = on_node_seconds(process.sent, prices);
                       seconds.network_messages =
                           times(process.sent.network.messages, prices.between_nodes.round_seconds);
                       return seconds;
                     }),
               prices, {});
}

/// One voice a node for the messages of NodeLinks: all from one node to another together, put together and
/// taken apart in shared memory. The messages of a node are shared out among its processes.
Prediction predict_node(const Placed& placed, const LevelCosts& prices, Count longest) {
  std::vector<MessageWalk> walks;
  walks.emplace_back(direct_on(placed), placed.sizes(), Carried::all, placed.node_of_cell);
  const NodeLinks links(placed, longest);
  Tally counted = tally(
      placed, walks, [&](Count cell, Count peer, Count bytes) { return links.contain(cell, peer, bytes); },
      [&](const ProcessTally& process) {
        Seconds seconds = on_node_seconds(process.sent, prices);
        seconds.copies += 2 * times(process.by_node.bytes, prices.on_node.byte_seconds);
        seconds.network_messages = times(process.sent.network.messages, prices.between_nodes.round_seconds);
        return seconds;
      });
  std::vector<Count> together(counted.nodes.size());
  for (std::size_t n = 0; n < together.size(); ++n)
    for (const NodeLinks::Link& link : links.by_sender()[n])
      together[n] += schedule::node_messages(link.traffic.bytes);
  std::vector<double> seconds;
  const Runs& sizes = placed.problem.machine.node_sizes();
  Count largest_share = 0;
  for (std::size_t n = 0; n < together.size(); ++n) {
    const Count share = divide_up(together[n], sizes[static_cast<Count>(n)]);
    seconds.push_back(times(share, prices.between_nodes.round_seconds));
    counted.nodes[n].sent.network.messages += together[n];
    counted.total.network.messages += together[n];
    largest_share = std::max(largest_share, share);
  }
  counted.largest.network.messages += largest_share;
  return rated(counted, prices, seconds);
}

NodeOfCell nodes_of(const Machine& machine, const Placement& placement) {
  constexpr Count chunk = 1 << 14;
  const Count cells = placement.grid().size();
  NodeOfCell nodes;
  nodes.reserve(static_cast<std::size_t>(cells));
  std::vector<Rank> ranks;
  for (Count first = 0; first < cells; first += chunk) {
    ranks.resize(static_cast<std::size_t>(std::min(chunk, cells - first)));
    placement.ranks(first, ranks);
    for (const Rank rank : ranks) nodes.push_back(static_cast<std::uint32_t>(machine.node_of(rank)));
  }
  return nodes;
}

}  // namespace

Placed::Placed(const Problem& given, const Placement& chosen)
    : problem(given),
      placement(chosen),
      decomposition(given.mesh, chosen.grid()),
      node_of_cell(nodes_of(given.machine, chosen)) {}

BlockSizes Placed::sizes() const {
  return {decomposition, problem.stencil, problem.halo,
          checked_multiply(problem.fields, problem.value_bytes)};
}

Problem ready(const Problem& problem) {
  require(problem.fields >= 1, problem.fields, " fields; it takes at least 1");
  require(problem.value_bytes >= 1, problem.value_bytes, " bytes a value; it takes at least 1");
  if (problem.machine.ranks() > most_ranks)
    fail(Fault::unsupported, problem.machine.ranks(),
         " ranks; a plan counts the messages of each, of at most ", most_ranks);
  const std::size_t dimensions = problem.mesh.dimensions();
  if (problem.stencil.dimensions() != dimensions)
    fail(Fault::invalid_dimensions, "the stencil has ", problem.stencil.dimensions(),
         " dimensions, the mesh ", dimensions);
  if (!problem.halo.empty() && problem.halo.size() != dimensions)
    fail(Fault::invalid_dimensions, "the halo has ", problem.halo.size(), " widths, the mesh ", dimensions,
         " dimensions");
  Problem complete = problem;
  if (complete.halo.empty()) complete.halo.assign(dimensions, 1);
  for (const Count width : complete.halo) require(width >= 0, "a halo of width ", width, "; 0 is the least");
  std::vector<Offset> offsets;
  Counts weights;
  for (std::size_t i = 0; i < problem.stencil.size(); ++i) {
    const Offset& offset = problem.stencil.offsets()[i];
    bool sends = true;
    for (std::size_t d = 0; d < dimensions; ++d) sends = sends && (offset[d] == 0 || complete.halo[d] > 0);
    if (!sends) continue;
    offsets.push_back(offset);
    weights.push_back(problem.stencil.weights()[i]);
  }
  require(!offsets.empty(), "halos of ", join(complete.halo, "x"),
          " leave nothing to send along the stencil ", problem.stencil.to_text());
  complete.stencil = Stencil(std::move(offsets), std::move(weights));
  return complete;
}

void require_wide_shares(const Decomposition& decomposition, const Counts& halo) {
  const Grid& grid = decomposition.grid();
  for (std::size_t d = 0; d < halo.size(); ++d) {
    const Count least = decomposition.extent(d, grid.extents()[d] - 1);
    if ((grid.extents()[d] > 1 || grid.periodic(d)) && least < halo[d])
      fail(Fault::invalid_dimensions, "on the grid ", join(grid.extents(), "x"), " processes own as few as ",
           least, " points along dimension ", d, ", less than the halo of ", halo[d]);
  }
}

void require_schedule_fits(const Decomposition& decomposition, const std::string& schedule) {
  if (combines(schedule) && !decomposition.even())
    fail(Fault::unsupported, schedule, " forwards only blocks of one size; on the grid ",
         join(decomposition.grid().extents(), "x"), " shares of the mesh ", decomposition.mesh().to_text(),
         " differ");
}

Prediction predict_plain(const Placed& placed, const LevelCosts& prices) {
  std::vector<MessageWalk> walks;
  walks.emplace_back(schedule::algorithm("direct").make(placed.problem.stencil, Operation::alltoall),
                     placed.sizes(), Carried::all, placed.node_of_cell);
  return predict_messages(placed, std::move(walks), prices);
}

Prediction predict(const Placed& placed, const std::string& schedule, const LevelCosts& prices) {
  if (schedule == "node") return predict_node(placed, prices, any_length);
  if (schedule == "mixed") return predict_node(placed, prices, schedule::longest_by_node(prices));
  std::vector<MessageWalk> walks;
  if (!combines(schedule)) {
    walks.emplace_back(direct_on(placed), placed.sizes(), Carried::all, placed.node_of_cell);
  } else {
    // What stays on a node takes no part in combining.
    walks.emplace_back(direct_on(placed), placed.sizes(), Carried::staying, placed.node_of_cell);
    walks.emplace_back(schedule::on(schedule::algorithm(schedule), placed.problem.stencil,
                                    Operation::alltoall, placed.placement.grid()),
                       placed.sizes(), Carried::leaving, placed.node_of_cell);
  }
  return predict_messages(placed, std::move(walks), prices);
}

std::vector<std::string> schedule_names() {
  std::vector<std::string> names{"direct", "node", "mixed"};
  for (const schedule::Algorithm& algorithm : schedule::algorithms())
    if (combines(std::string(algorithm.name))) names.emplace_back(algorithm.name);
  return names;
}

bool combines(const std::string& schedule) {
  return schedule != "direct" && schedule != "node" && schedule != "mixed";
}

std::vector<NodePair> node_pairs(const Problem& problem, const Plan& plan) {
  const Problem complete = ready(problem);
  std::vector<NodePair> pairs;
  const Placed placed(complete, plan.placement);
  const NodeLinks links(placed, any_length);
  for (std::size_t n = 0; n < links.by_sender().size(); ++n)
    for (const NodeLinks::Link& link : links.by_sender()[n])
      pairs.push_back({static_cast<Count>(n), link.to, link.traffic});
  return pairs;
}

}  // namespace halocline::plan
