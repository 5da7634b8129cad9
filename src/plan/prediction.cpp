#include "plan/prediction.hpp"

#include "base/integers.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "halocline/schedule/local.hpp"
#include "halocline/schedule/on_grid.hpp"
#include "plan/node_links.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace halocline::plan {
namespace {

/// Half a GiB for the nodes of their cells.
constexpr Count most_ranks = Count{1} << 27;

struct Tally {
  LevelTraffic total, largest;
  Count largest_node_bytes = 0;
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

/// What a message between nodes counts for, if some go with what their nodes have for each other.
using CountedAs = std::function<place::Traffic(Count cell, Count peer, Count bytes)>;

Tally tally(const Placed& placed, const std::vector<RowOfMessages>& walks, const CountedAs& counted_as) {
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
        place::Traffic& level = level_of(sent, placed.node_of_cell, cell, peer);
        level += &level == &sent.network ? counted_as(cell, peer, bytes) : place::Traffic{1, bytes};
      });
    for (std::size_t x = 0; x < processes.size(); ++x) {
      const int node = placed.node_of_cell[static_cast<std::size_t>(first) + x];
      leaving[static_cast<std::size_t>(node)] += processes[x].network.bytes;
      result.total += processes[x];
      raise(result.largest, processes[x]);
    }
  }
  result.largest_node_bytes = *std::max_element(leaving.begin(), leaving.end());
  return result;
}

Tally count_messages(const Placed& placed, const std::vector<RowOfMessages>& walks) {
  return tally(placed, walks, [](Count, Count, Count bytes) { return place::Traffic{1, bytes}; });
}

RowOfMessages messages_of(const Placed& placed, const Schedule& schedule, Carried carried) {
  auto walk = std::make_shared<MessageWalk>(schedule, placed.sizes(), carried, placed.node_of_cell);
  return [walk](Count row, const MessageWalk::Message& message) { walk->row(row, message); };
}

/// Of a schedule that forwards what is gathered: a block may be for several others.
RowOfMessages forwarded_gathers(const Placed& placed, const Schedule& schedule) {
  return [&placed, &schedule](Count row, const MessageWalk::Message& message) {
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
Tally count_by_node(const Placed& placed, Count longest) {
  const NodeLinks links(placed, longest);
  const bool gathered = placed.operation() == Operation::allgather;
  std::set<std::pair<Count, int>> reached;  // nodes that have a cell's block, which they get once
  Tally counted = tally(placed, {direct_messages(placed, Carried::all)},
                        [&](Count cell, Count peer, Count bytes) -> place::Traffic {
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

Tally counted(const Placed& placed, const std::string& schedule, const LevelCosts& prices) {
  if (schedule == "node") return count_by_node(placed, any_length);
  if (schedule == "mixed") return count_by_node(placed, schedule::longest_by_node(prices));
  if (!combines(schedule)) return count_messages(placed, {direct_messages(placed, Carried::all)});
  // What stays on a node takes no part in combining.
  return count_messages(placed, {direct_messages(placed, Carried::staying),
                                 placed.operation() == Operation::allgather
                                     ? forwarded_gathers(placed, placed.schedule(schedule))
                                     : messages_of(placed, placed.schedule(schedule), Carried::leaving)});
}

Prediction put_together(const Tally& counted, const Rating& rating) {
  return {counted.total, counted.largest, counted.largest_node_bytes,
          rating.node,   rating.sent,     rating.seconds};
}

}  // namespace

NodeOfCell nodes_of(const Machine& machine, const Placement& placement) {
  constexpr Count chunk = 1 << 14;
  const Count cells = placement.grid().size();
  NodeOfCell nodes;
  nodes.reserve(static_cast<std::size_t>(cells));
  std::vector<Rank> ranks;
  for (Count first = 0; first < cells; first += chunk) {
    ranks.resize(static_cast<std::size_t>(std::min(chunk, cells - first)));
    placement.ranks(first, ranks);
    for (const Rank rank : ranks) nodes.push_back(static_cast<int>(machine.node_of(rank)));
  }
  return nodes;
}

Placed::Placed(const Problem& given, const Placement& chosen)
    : problem(given),
      placement(chosen),
      decomposition(given.cut(chosen.grid())),
      node_of_cell(nodes_of(given.machine, chosen)) {}

BlockSizes sizes_of(const Problem& problem, const Decomposition& decomposition) {
  return {decomposition, problem.stencil, problem.halo, checked_multiply(problem.fields, problem.value_bytes),
          problem.point_bytes};
}

BlockSizes Placed::sizes() const { return sizes_of(problem, decomposition); }

Demand Placed::demand() const {
  return {placement.grid(),
          problem.stencil,
          operation(),
          node_of_cell,
          static_cast<int>(problem.machine.nodes()),
          [this, sizes = sizes()](Count cell, std::size_t neighbour) {
            return sizes.bytes(neighbour, placement.grid().cell(cell));
          },
          {&problem.machine, [this](Count cell) {
             Rank rank = 0;
             placement.ranks(cell, {&rank, 1});
             return rank;
           }}};
}

const Schedule& Placed::schedule(const std::string& name) const {
  auto known = schedules_.find(name);
  if (known == schedules_.end())
    known = schedules_
                .emplace(name, schedule::on(schedule::algorithm(name), problem.stencil, operation(),
                                            placement.grid()))
                .first;
  return known->second;
}

ScheduleMeans Placed::means(bool shared) const {
  return {shared, decomposition.even(),
          [this](const std::string& name) -> const Schedule& { return schedule(name); }};
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
  require(problem.point_bytes.empty() || problem.point_bytes.size() == problem.stencil.size(),
          problem.point_bytes.size(), " sizes for ", problem.stencil.size(), " neighbours");
  Problem complete = problem;
  if (complete.halo.empty()) complete.halo.assign(dimensions, 1);
  for (const Count width : complete.halo) require(width >= 0, "a halo of width ", width, "; 0 is the least");
  const std::vector<Offset>& offsets = problem.stencil.offsets();
  require(std::any_of(offsets.begin(), offsets.end(),
                      [&](const Offset& offset) { return sends(offset, complete.halo); }),
          "halos of ", join(complete.halo, "x"), " leave nothing to send along the stencil ",
          problem.stencil.to_text());
  complete.stencil = that_sends(problem.stencil, complete.halo);
  if (problem.point_bytes.empty()) return complete;
  complete.point_bytes.clear();
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    require(problem.point_bytes[i] >= 0, "a block of ", problem.point_bytes[i], " bytes");
    if (sends(offsets[i], complete.halo)) complete.point_bytes.push_back(problem.point_bytes[i]);
  }
  require(std::count(complete.point_bytes.begin(), complete.point_bytes.end(), 0) <
              std::ssize(complete.point_bytes),
          "all blocks are empty: there is nothing to plan");
  return complete;
}

void require_wide_shares(const Decomposition& decomposition, const Counts& halo) {
  const Grid& grid = decomposition.grid();
  for (std::size_t d = 0; d < halo.size(); ++d) {
    const Count least = decomposition.least_extent(d);
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
  const Schedule plain = schedule::algorithm("direct").make(placed.problem.stencil, Operation::alltoall);
  const RowOfMessages all = messages_of(placed, plain, Carried::all);
  const RowOfMessages some = [&](Count row, const MessageWalk::Message& message) {
    all(row, [&](Count cell, Count peer, Count bytes) {
      if (bytes > 0) message(cell, peer, bytes);
    });
  };
  const Demand demand = placed.demand();
  return put_together(count_messages(placed, {some}), Rater(demand, prices).plain());
}

Prediction predict(const Placed& placed, const std::string& schedule, const LevelCosts& prices) {
  const Demand demand = placed.demand();
  return predict(placed, {schedule, rate(Rater(demand, prices), schedule, prices, placed.means())}, prices);
}

Prediction predict(const Placed& placed, const ScheduleTime& rated, const LevelCosts& prices) {
  return put_together(counted(placed, rated.name, prices), rated.rating);
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
