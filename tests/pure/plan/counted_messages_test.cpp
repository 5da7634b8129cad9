// The messages of a plan beside those that a walk over all ranks counts.
#include "halocline/base/error.hpp"
#include "halocline/describe/decomposition.hpp"
#include "plan/prediction/rated_placements.hpp"
#include "problems.hpp"
#include "schedule/by_node.hpp"
#include "schedule/on_grid.hpp"
#include "schedule/process/local.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>

namespace halocline::plan {
namespace {

/// What is exchanged, worked out cell by cell, without tables.
struct World {
  const Problem& problem;
  const Plan& plan;
  Decomposition decomposition{problem.mesh, plan.grid};

  [[nodiscard]] Count width(std::size_t d) const { return problem.halo.empty() ? 1 : problem.halo[d]; }

  [[nodiscard]] Count node(Count cell) const {
    return problem.machine.node_of(plan.placement.rank(plan.grid.cell(cell)));
  }

  /// Bytes from a cell along offset i of the stencil.
  [[nodiscard]] Count bytes(const Cell& from, std::size_t i) const {
    Count bytes = problem.fields * problem.value_bytes * problem.stencil.weights()[i];
    const Box box = decomposition.box(from);
    for (std::size_t d = 0; d < from.size(); ++d)
      bytes *= problem.stencil.offsets()[i][d] == 0 ? box.extents[d] : width(d);
    for (const BorderPoints& points : problem.border_points)
      if (points.neighbor == i && has_borders(from, points.beyond)) {
        Count more = points.point_bytes;
        for (std::size_t d = 0; d < from.size(); ++d)
          if (problem.stencil.offsets()[i][d] == 0 && points.beyond[d] == 0) more *= box.extents[d];
        bytes += more;
      }
    return bytes;
  }

  [[nodiscard]] bool has_borders(const Cell& cell, const Offset& beyond) const {
    for (std::size_t d = 0; d < cell.size(); ++d) {
      Offset step(cell.size(), 0);
      step[d] = beyond[d];
      if (beyond[d] != 0 && plan.grid.neighbor(cell, step)) return false;
    }
    return true;
  }

  void count(LevelTraffic& sent, Count from, Count to, Count bytes) const {
    Traffic& level = from == to ? sent.self : node(from) == node(to) ? sent.node : sent.network;
    level += Traffic{1, bytes};
  }

  /// The first of all zero offsets for a zero offset, otherwise i.
  [[nodiscard]] std::size_t first_alike(std::size_t i) const {
    const Offset zero(problem.mesh.dimensions(), 0);
    const auto& offsets = problem.stencil.offsets();
    if (offsets[i] != zero) return i;
    return static_cast<std::size_t>(std::find(offsets.begin(), offsets.end(), zero) - offsets.begin());
  }

  /// One message for each offset whose cell exists. What is at offset zero is one copy.
  [[nodiscard]] std::vector<LevelTraffic> plain() const {
    std::vector<LevelTraffic> sent(static_cast<std::size_t>(plan.grid.size()));
    for (Count from = 0; from < plan.grid.size(); ++from)
      for (std::size_t i = 0; i < problem.stencil.size(); ++i) {
        const Cell cell = plan.grid.cell(from);
        const auto to = plan.grid.neighbor(cell, problem.stencil.offsets()[i]);
        Count size = bytes(cell, i);
        if (i != first_alike(i)) continue;
        for (std::size_t other = i + 1; other < problem.stencil.size(); ++other)
          if (first_alike(other) == i) size += bytes(cell, other);
        if (to && size > 0) count(sent[static_cast<std::size_t>(from)], from, plan.grid.index(*to), size);
      }
    return sent;
  }

  /// One message for each process that gets something.
  [[nodiscard]] std::vector<LevelTraffic> merged() const {
    std::vector<LevelTraffic> sent(static_cast<std::size_t>(plan.grid.size()));
    for (Count from = 0; from < plan.grid.size(); ++from)
      for (const auto& [to, size] : targets(from))
        count(sent[static_cast<std::size_t>(from)], from, to, size);
    return sent;
  }

  [[nodiscard]] std::map<Count, Count> targets(Count from) const {
    std::map<Count, Count> bytes_to;
    for (std::size_t i = 0; i < problem.stencil.size(); ++i) {
      const Cell cell = plan.grid.cell(from);
      const auto to = plan.grid.neighbor(cell, problem.stencil.offsets()[i]);
      const Count size = bytes(cell, i);
      if (to && size > 0) bytes_to[plan.grid.index(*to)] += size;
    }
    return bytes_to;
  }

  /// What the processes of an exchange do: blocks on a node as they are, all others through the schedule.
  /// @pre all shares are equal
  [[nodiscard]] std::vector<LevelTraffic> combined(std::string_view name) const {
    const Schedule schedule =
        schedule::on(schedule::algorithm(name), problem.stencil, Operation::alltoall, plan.grid);
    const Cell first(plan.grid.dimensions(), 0);
    std::vector<LevelTraffic> sent(static_cast<std::size_t>(plan.grid.size()));
    for (Count from = 0; from < plan.grid.size(); ++from) {
      LevelTraffic& here = sent[static_cast<std::size_t>(from)];
      for (const auto& [to, size] : targets(from))
        if (node(from) == node(to)) count(here, from, to, size);
      const LocalSchedule local(schedule, plan.grid, from,
                                [&](Count origin, Count target) { return node(origin) != node(target); });
      for (std::size_t r = 0; r < local.rounds(); ++r) {
        const LocalSchedule::Round round = local.round(r);
        if (round.to == LocalSchedule::nobody) continue;
        Count size = 0;
        for (const Slot& slot : round.sends)
          size += bytes(first, static_cast<std::size_t>(local.block(slot)));
        count(here, from, round.to, size);
      }
    }
    return sent;
  }

  [[nodiscard]] LevelTraffic of_node(const std::vector<LevelTraffic>& sent, Count n) const {
    LevelTraffic sum;
    for (Count cell = 0; cell < plan.grid.size(); ++cell)
      if (node(cell) == n) sum += sent[static_cast<std::size_t>(cell)];
    return sum;
  }
};

LevelTraffic sum_of(const std::vector<LevelTraffic>& sent) {
  LevelTraffic sum;
  for (const LevelTraffic& process : sent) sum += process;
  return sum;
}

/// The model's time by its definition: the slowest node.
double seconds_of(const World& world, const std::vector<LevelTraffic>& sent) {
  std::map<Count, double> slowest;
  std::map<Count, Count> leaving;
  for (std::size_t cell = 0; cell < sent.size(); ++cell) {
    const LevelTraffic& s = sent[cell];
    const Count node = world.node(static_cast<Count>(cell));
    const double process = static_cast<double>(s.self.bytes + s.node.bytes) * prices.on_node.byte_seconds +
                           static_cast<double>(s.node.messages) * prices.on_node.round_seconds +
                           static_cast<double>(s.network.messages) * prices.between_nodes.round_seconds;
    slowest[node] = std::max(slowest[node], process);
    leaving[node] += s.network.bytes;
  }
  double longest = 0;
  for (const auto& [node, seconds] : slowest)
    longest =
        std::max(longest, seconds + static_cast<double>(leaving[node]) * prices.between_nodes.byte_seconds);
  return longest;
}

void expect_traffic(const LevelTraffic& found, const LevelTraffic& expected, const std::string& what) {
  EXPECT_EQ(found.self.messages, expected.self.messages) << what;
  EXPECT_EQ(found.self.bytes, expected.self.bytes) << what;
  EXPECT_EQ(found.node.messages, expected.node.messages) << what;
  EXPECT_EQ(found.node.bytes, expected.node.bytes) << what;
  EXPECT_EQ(found.network.messages, expected.network.messages) << what;
  EXPECT_EQ(found.network.bytes, expected.network.bytes) << what;
}

/// By definition, process by process.
void expect_leaving_share(const LevelTraffic& found, const std::vector<LevelTraffic>& sent,
                          const std::string& what) {
  Count all = 0, leaving = 0;
  for (const LevelTraffic& process : sent) {
    all += process.self.bytes + process.node.bytes + process.network.bytes;
    leaving += process.network.bytes;
  }
  const double expected = all == 0 ? 0 : static_cast<double>(leaving) / static_cast<double>(all);
  EXPECT_DOUBLE_EQ(found.leaving_share(), expected) << what;
}

void expect_prediction(const World& world, const Prediction& found, const std::vector<LevelTraffic>& sent,
                       const std::string& what) {
  expect_traffic(found.total, sum_of(sent), what);
  expect_leaving_share(found.total, sent, what);
  expect_traffic(found.bottleneck, world.of_node(sent, found.bottleneck_node), what + ", bottleneck");
  Count most_messages = 0;
  Count most_bytes = 0;
  for (const LevelTraffic& process : sent) {
    most_messages = std::max(most_messages, process.network.messages);
    most_bytes = std::max(most_bytes, process.node.bytes);
  }
  EXPECT_EQ(found.largest_process.network.messages, most_messages) << what;
  EXPECT_EQ(found.largest_process.node.bytes, most_bytes) << what;
  Count largest_node = 0;
  for (Count n = 0; n < world.problem.machine.nodes(); ++n)
    largest_node = std::max(largest_node, world.of_node(sent, n).network.bytes);
  EXPECT_EQ(found.largest_node_bytes, largest_node) << what;
  EXPECT_NEAR(found.seconds.total(), seconds_of(world, sent), 1e-9 * seconds_of(world, sent)) << what;
}

/// One message for every 16 KiB that a node has for another, at least one and at most 64. If there is a
/// longest message that goes with others, longer ones go on their own, and so do all between nodes where a
/// process has less than two on average.
Count messages_of_nodes(const World& world, std::optional<Count> longest) {
  struct Together {
    Count pairs = 0, bytes = 0;
    std::set<Count> writers, readers;
  };
  std::map<std::pair<Count, Count>, Together> links;
  Count messages = 0;
  for (Count from = 0; from < world.plan.grid.size(); ++from)
    for (const auto& [to, size] : world.targets(from)) {
      if (world.node(from) == world.node(to)) continue;
      if (longest && size > *longest) {
        ++messages;
        continue;
      }
      auto& [pairs, bytes, writers, readers] = links[{world.node(from), world.node(to)}];
      pairs += 1;
      bytes += size;
      writers.insert(from);
      readers.insert(to);
    }
  for (const auto& [nodes, link] : links) {
    const auto busiest = static_cast<Count>(std::max(link.writers.size(), link.readers.size()));
    const bool alone = longest && link.pairs < 2 * busiest;
    messages += alone ? link.pairs : std::clamp(link.bytes / 16384, Count{1}, Count{64});
  }
  return messages;
}

void expect_exact(const Problem& problem) {
  const Explanation both = explain(problem, with(prices));
  const std::string what = both.plan.grid.to_text() + " of " + problem.mesh.to_text() + " on " +
                           problem.machine.to_text() + ", " + problem.stencil.to_text();
  const World world{problem, both.plan};
  for (const RatedSchedule& rated : both.plan.schedules) {
    const std::string which = what + ", " + rated.name;
    if (rated.name == "direct") {
      expect_prediction(world, rated.prediction, world.merged(), which);
    } else if (rated.name == "node" || rated.name == "mixed") {
      std::optional<Count> longest;
      if (rated.name == "mixed") longest = schedule::longest_by_node(prices);
      const LevelTraffic sent = sum_of(world.merged());
      expect_leaving_share(rated.prediction.total, world.merged(), which);
      EXPECT_EQ(rated.prediction.total.node, sent.node) << which;
      EXPECT_EQ(rated.prediction.total.network.bytes, sent.network.bytes) << which;
      EXPECT_EQ(rated.prediction.total.network.messages, messages_of_nodes(world, longest)) << which;
    } else {
      expect_prediction(world, rated.prediction, world.combined(rated.name), which);
    }
  }
  ASSERT_TRUE(both.usual) << what << ": " << both.why_not_usual;
  const World usual{problem, *both.usual};
  expect_prediction(usual, both.usual->prediction, usual.plain(), what + ", default");
}

TEST(Plan, counts_what_walking_all_ranks_counts) {
  for (const char* machine : {"nodes:4x6", "nodes:8,10,6", "nodes:24", "nodes:24x1", "node:2 numa:3 core:4"})
    for (const char* mesh : {"24x24x24", "25x24x29", "24x25x26 periodic:all", "24x48x24 periodic:1,0,1"})
      for (const char* stencil : {"nearest", "moore:1", "star:2", "octant:1", "1,0,0*3;0,-1,1;1,0,0"})
        expect_exact(problem_of(mesh, stencil, machine, {1, 2, 1}));
}

TEST(Plan, counts_on_thin_grids_that_wrap_onto_themselves) {
  for (const char* machine :
       {"nodes:1", "nodes:2", "nodes:1,1", "nodes:2,2", "nodes:7", "nodes:3,4", "nodes:3x2,1"})
    for (const char* mesh :
         {"40", "40 periodic:1", "17x19 periodic:all", "28x30 periodic:0,1", "14x14x14 periodic:all"})
      for (const char* stencil : {"nearest", "moore:1", "moore:2", "octant:2"})
        expect_exact(problem_of(mesh, stencil, machine));
}

TEST(Plan, counts_in_random_worlds) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto upto = [&](Count most) {
      return 1 + static_cast<Count>(random() % static_cast<unsigned>(most));
    };
    Counts nodes(static_cast<std::size_t>(upto(5)));
    for (Count& size : nodes) size = upto(6);
    const auto dimensions = static_cast<std::size_t>(upto(3));
    Counts extents(dimensions), halo(dimensions);
    Periodicity periodicity(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
      halo[d] = upto(2);
      extents[d] = 60 + upto(30);
      periodicity[d] = random() % 2 == 0;
    }
    std::vector<Offset> offsets(static_cast<std::size_t>(upto(6)), Offset(dimensions));
    for (Offset& offset : offsets)
      for (Count& component : offset) component = upto(5) - 3;
    expect_exact(
        {Mesh(extents, periodicity), Stencil(offsets), Machine::of_nodes(Runs(nodes)), halo, {}, 2, 8});
  }
}

/// All ghost points that may travel along open borders, of random sizes; some of them nowhere.
void add_border_points(Problem& problem, std::mt19937& random) {
  for (std::size_t i = 0; i < problem.stencil.size(); ++i) {
    const Offset& offset = problem.stencil.offsets()[i];
    std::vector<Offset> sides{Offset(offset.size(), 0)};
    for (std::size_t d = 0; d < offset.size(); ++d)
      for (std::size_t s = 0, before = sides.size(); s < before && offset[d] == 0; ++s)
        for (const Count side : {-1, 1}) {
          sides.push_back(sides[s]);
          sides.back()[d] = side;
        }
    for (std::size_t s = 1; s < sides.size(); ++s)
      if (random() % 3 != 0) problem.border_points.push_back({i, sides[s], static_cast<Count>(random() % 5)});
  }
}

TEST(Plan, counts_ghost_points_that_travel_along_open_borders) {
  std::mt19937 random(4);
  for (const char* machine : {"nodes:4x6", "nodes:8,10,6", "nodes:24x1", "nodes:3,2", "nodes:2x60"})
    for (const char* mesh : {"24x24x24", "25x24x29", "24x25x26 periodic:0,1,0", "400x5x5"})
      for (const char* stencil : {"nearest", "moore:1", "1,0,0;0,1,0", "1,0,0*3;0,-1,1"}) {
        Problem problem = problem_of(mesh, stencil, machine, {1, 1, 1});
        add_border_points(problem, random);
        expect_exact(problem);
      }
}

TEST(Plan, forwards_blocks_along_borders_only_if_all_have_them) {
  Problem problem = problem_of("24x24", "nearest", "nodes:4x6");
  problem.border_points = {{0, {0, -1}, 8}};
  problem.stencil = Stencil({{1, 0}, {-1, 0}});
  problem.fixed = {24, 1};
  EXPECT_EQ(make_plan(problem, with("torus")).schedule, "torus");
  problem.fixed = {6, 4};
  try {
    (void)make_plan(problem, with("torus"));
    ADD_FAILURE() << "blocks differ";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::unsupported);
    EXPECT_NE(std::string(error.what()).find("open borders"), std::string::npos) << error.what();
  }
}

TEST(Plan, nodes_send_each_other_what_leaves_them) {
  const Problem problem = problem_of("25x24x29 periodic:0,1,0", "moore:1", "nodes:8,10,6");
  const Plan plan = make_plan(problem);
  const World world{problem, plan};
  std::map<std::pair<Count, Count>, Traffic> expected;
  for (Count from = 0; from < plan.grid.size(); ++from)
    for (const auto& [to, size] : world.targets(from))
      if (world.node(from) != world.node(to))
        expected[{world.node(from), world.node(to)}] += Traffic{1, size};
  const std::vector<NodePair> pairs = node_pairs(problem, plan);
  ASSERT_EQ(pairs.size(), expected.size());
  for (const NodePair& pair : pairs) EXPECT_EQ(pair.traffic, (expected[{pair.from, pair.to}]));
}

}  // namespace
}  // namespace halocline::plan
