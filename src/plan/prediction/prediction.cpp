// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction/prediction.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "plan/placement/grid_choice.hpp"
#include "plan/placement/nodes_of_cells.hpp"
#include "plan/prediction/rated_placements.hpp"
#include "plan/prediction/sending.hpp"
#include "schedule/by_node.hpp"
#include "schedule/on_grid.hpp"

#include <algorithm>
#include <utility>

namespace halocline::plan {
namespace {

/// Half a GiB for the nodes of their cells.
constexpr Count most_ranks = Count{1} << 27;

struct PlanTally {
  LevelTraffic total, largest;
  Count largest_node_bytes = 0;
  Count largest_share = 0;  ///< Of the messages that a node sends as one.
};

/// Adds what all nodes of a kind send, by what one does.
void add(PlanTally& result, const NodeTally& node, const NodeKind& kind, Count node_size) {
  result.total += times(node.total, kind.nodes);
  raise(result.largest, node.largest);
  result.largest_node_bytes = std::max(result.largest_node_bytes, node.total.network.bytes);
  // What a node sends as one is shared out among its processes.
  result.total.network += {checked_multiply(node.together, kind.nodes), 0};
  result.largest_share = std::max(result.largest_share, divide_up(node.together, node_size));
}

using Counting = std::function<NodeTally(const NodeMessages& sent)>;

/// Of all nodes, in each of these ways: one of each kind is counted, and its messages are found once.
std::vector<PlanTally> tally(const Placed& placed, const Sending& sending,
                             const std::vector<Counting>& ways) {
  const Runs& sizes = placed.problem.machine.node_sizes();
  const Placed::Sight& sight = placed.sight(sending.looks_at);
  std::vector<PlanTally> results(ways.size());
  for (const NodeKind& kind : sight.kinds) {
    const NodeMessages sent(placed.cells(), sight.view, sending.messages, kind.example);
    for (std::size_t i = 0; i < ways.size(); ++i) add(results[i], ways[i](sent), kind, sizes[kind.example]);
  }
  for (PlanTally& result : results) result.largest.network.messages += result.largest_share;
  return results;
}

PlanTally count_messages(const Placed& placed, const Sending& sending) {
  return tally(placed, sending, {tally_of_node}).front();
}

/// Of a schedule that sends each block from its origin to its target.
Counting counting(const Placed& placed, ScheduleChoice schedule, const LevelCosts& prices) {
  if (schedule == ScheduleChoice::direct) return tally_of_node;
  const Count longest = schedule == ScheduleChoice::node ? any_length : schedule::longest_by_node(prices);
  const Joined joined{longest, placed.operation() == Operation::allgather};
  return [joined](const NodeMessages& sent) { return tally_by_node(sent, joined); };
}

/// Of each of these schedules.
std::vector<PlanTally> counted(const Placed& placed, const std::vector<ScheduleChoice>& schedules,
                               const LevelCosts& prices) {
  std::vector<Counting> ways;
  for (const ScheduleChoice schedule : schedules)
    if (!combines(schedule)) ways.push_back(counting(placed, schedule, prices));
  std::vector<PlanTally> direct;
  if (!ways.empty()) direct = tally(placed, direct_sending(placed, Carried::all), ways);
  std::vector<PlanTally> results;
  results.reserve(schedules.size());
  for (auto next = direct.begin(); const ScheduleChoice schedule : schedules)
    results.push_back(
        combines(schedule)
            ? count_messages(placed, combined_sending(placed, placed.schedule(name_of(schedule))))
            : *next++);
  return results;
}

Prediction put_together(const PlanTally& counted, const Rating& rating) {
  return {counted.total, counted.largest, counted.largest_node_bytes,
          rating.node,   rating.sent,     rating.seconds};
}

/// By neighbour, numbered as in the stencil without offsets that send nothing.
std::vector<BorderPoints> that_are_sent(const Problem& problem, const Counts& halo) {
  const std::vector<Offset>& offsets = problem.stencil.offsets();
  std::vector<std::size_t> numbers;
  numbers.reserve(offsets.size());
  std::size_t sending = 0;
  for (const Offset& offset : offsets) numbers.push_back(sends(offset, halo) ? sending++ : offsets.size());
  std::vector<BorderPoints> sent;
  for (const BorderPoints& points : problem.border_points) {
    require(points.neighbor < offsets.size() && points.beyond.size() == problem.mesh.dimensions(),
            "ghost points beyond (", join(points.beyond, ","), ") for neighbour ", points.neighbor, " of ",
            offsets.size(), " on a mesh of ", problem.mesh.dimensions(), " dimensions");
    require(points.point_bytes >= 0, "ghost points of ", points.point_bytes, " bytes");
    if (numbers[points.neighbor] == offsets.size()) continue;
    sent.push_back(points);
    sent.back().neighbor = numbers[points.neighbor];
  }
  std::stable_sort(sent.begin(), sent.end(),
                   [](const BorderPoints& a, const BorderPoints& b) { return a.neighbor < b.neighbor; });
  return sent;
}

}  // namespace

NodeOfCell nodes_of(const Machine& machine, const Placement& placement) {
  return nodes_of_cells<int>(machine, placement);
}

Placed::Placed(const Problem& given, const Placement& chosen)
    : problem(given),
      placement(chosen),
      decomposition(given.cut(chosen.grid())),
      node_of_cell(nodes_of(given.machine, chosen)) {}

BlockSizes sizes_of(const Problem& problem, const Decomposition& decomposition) {
  return {decomposition,       problem.stencil,
          problem.halo,        checked_multiply(problem.fields, problem.value_bytes),
          problem.point_bytes, problem.border_points};
}

BlockSizes Placed::sizes() const { return sizes_of(problem, decomposition); }

Demand Placed::demand() const {
  return {placement.grid(),
          problem.stencil,
          operation(),
          node_of_cell,
          to_int(problem.machine.nodes()),
          [this, sizes = sizes()](Count cell, std::size_t neighbour) {
            return sizes.bytes(neighbour, placement.grid().cell(cell));
          },
          {&problem.machine, [this](Count cell) {
             Rank rank = 0;
             placement.ranks(cell, {&rank, 1});
             return rank;
           }}};
}

const NodeCells& Placed::cells() const {
  if (!cells_) cells_ = std::make_unique<NodeCells>(decomposition, node_of_cell, problem.machine.nodes());
  return *cells_;
}

const Placed::Sight& Placed::sight(const std::vector<Offset>& looked_at) const {
  auto known = sights_.find(looked_at);
  if (known == sights_.end()) {
    View view(placement.grid(), looked_at);
    std::vector<NodeKind> kinds = alike_nodes(cells(), view);
    known = sights_.emplace(looked_at, Sight{std::move(view), std::move(kinds)}).first;
  }
  return known->second;
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
  return {shared, sizes().even(),
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
  complete.border_points = that_are_sent(problem, complete.halo);
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

void require_schedule_fits(const BlockSizes& sizes, ScheduleChoice schedule) {
  if (!combines(schedule) || sizes.even()) return;
  const Decomposition& decomposition = sizes.decomposition;
  fail(Fault::unsupported, name_of(schedule), " forwards only blocks of one size; on the grid ",
       join(decomposition.grid().extents(), "x"), " ",
       decomposition.even()
           ? "processes with open borders send their ghost points along, others have none; mesh "
           : "shares of the mesh ",
       decomposition.mesh().to_text(), decomposition.even() ? "" : " differ");
}

// What is counted comes first: it tells of all bytes together if they are too many.

Prediction predict_plain(const Placed& placed, const LevelCosts& prices) {
  const PlanTally plain = count_messages(placed, plain_sending(placed));
  const Demand demand = placed.demand();
  return put_together(plain, Rater(demand, prices).plain());
}

Prediction predict(const Placed& placed, ScheduleChoice schedule, const LevelCosts& prices) {
  const PlanTally all = counted(placed, {schedule}, prices).front();
  const Demand demand = placed.demand();
  return put_together(all, rate(Rater(demand, prices), schedule, prices, placed.means()));
}

std::vector<Prediction> predict(const Placed& placed, const std::vector<ScheduleTime>& rated,
                                const LevelCosts& prices) {
  std::vector<ScheduleChoice> schedules;
  schedules.reserve(rated.size());
  for (const ScheduleTime& time : rated) schedules.push_back(time.schedule);
  const std::vector<PlanTally> tallies = counted(placed, schedules, prices);
  std::vector<Prediction> predictions;
  predictions.reserve(rated.size());
  for (std::size_t i = 0; i < rated.size(); ++i)
    predictions.push_back(put_together(tallies[i], rated[i].rating));
  return predictions;
}

std::vector<NodePair> node_pairs(const Problem& problem, const Plan& plan) {
  const Problem complete = ready(problem);
  std::vector<NodePair> pairs;
  const Placed placed(complete, plan.placement);
  const Sending sending = direct_sending(placed, Carried::leaving);
  const View view(plan.grid, sending.looks_at);
  const Joined joined{any_length, placed.operation() == Operation::allgather};
  for (Count node = 0; node < complete.machine.nodes(); ++node)
    for (const NodeLink& link :
         links_of_node(NodeMessages(placed.cells(), view, sending.messages, node), joined))
      pairs.push_back({node, link.to, link.traffic});
  return pairs;
}

}  // namespace halocline::plan
