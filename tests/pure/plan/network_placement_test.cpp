#include "plan/placement/network_placement.hpp"

#include "expect_error.hpp"
#include "metrics_of_cells.hpp"
#include "place/algorithms.hpp"
#include "place/best.hpp"
#include "place/worlds.hpp"
#include "plan/placement/node_groups.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace halocline::plan {
namespace {

/// Networks with room for the nodes, of every kind.
std::vector<Network> networks_for(Count nodes) {
  const std::string n = std::to_string(nodes);
  return {Network::parse("torus:" + n + "x3"), Network::parse("mesh:2x" + n + "x2 hosts:2"),
          Network::parse("fat-tree:3x" + n), Network::parse("dragonfly:3x" + n + "x1")};
}

/// Some nodes of the network in a random order.
Allocation scattered(const Network& network, Count nodes, std::mt19937_64& random) {
  Counts all(static_cast<std::size_t>(network.nodes()));
  std::iota(all.begin(), all.end(), Count{0});
  std::shuffle(all.begin(), all.end(), random);
  all.resize(static_cast<std::size_t>(nodes));
  return {network, all};
}

double hops_of_cells(const place::Problem& problem, const Placement& placement,
                     const Allocation& allocation) {
  return metrics_of_cells(problem, placement, allocation).weighted_hops;
}

/// Everything that must hold whatever the rotation.
void expect_laws(const place::Problem& problem, const Placement& before, const Allocation& allocation,
                 const NetworkPlacement& result) {
  const Grid& grid = problem.grid();
  const Runs& sizes = problem.machine().node_sizes();
  std::vector<Rank> owners(static_cast<std::size_t>(grid.size()));
  result.placement.ranks(0, owners);
  for (Rank rank = 0; rank < grid.size(); ++rank) {
    const Cell cell = result.placement.cell(rank);
    ASSERT_EQ(result.placement.rank(cell), rank);
    ASSERT_EQ(owners[static_cast<std::size_t>(grid.index(cell))], rank);
    // A node has the cells of its group, all of them and in the same order.
    const Count node = sizes.find(rank);
    const Count group = result.group_of_node[static_cast<std::size_t>(node)];
    ASSERT_EQ(cell, before.cell(rank - sizes.start(node) + sizes.start(group)));
    ASSERT_EQ(sizes[node], sizes[group]);
  }
  const place::LevelCost cost_before = place::node_cost(problem, before);
  const place::LevelCost cost = place::node_cost(problem, result.placement);
  EXPECT_EQ(cost.total, cost_before.total);
  EXPECT_EQ(cost.largest, cost_before.largest);
  EXPECT_EQ(result.score_before.weighted_hops, hops_of_cells(problem, before, allocation));
  EXPECT_EQ(result.score.weighted_hops, hops_of_cells(problem, result.placement, allocation));
}

/// The best rotation is no worse than any other and than none, however the work is shared out.
void expect_best(const NetworkProblem& mapping, std::mt19937_64& random) {
  network::Score least = mapping.best(0, 0);
  EXPECT_EQ(least.rotation, NetworkProblem::unmoved);
  for (Count rotation = 0; rotation < mapping.rotations(); ++rotation)
    least = std::min(least, mapping.placed(rotation).score);
  EXPECT_EQ(mapping.best(0, mapping.rotations()), least);
  const auto cut = static_cast<Count>(random() % static_cast<std::uint64_t>(mapping.rotations() + 1));
  EXPECT_EQ(std::min(mapping.best(0, cut), mapping.best(cut, mapping.rotations())), least);
}

TEST(NetworkPlacement, keeps_groups_whole_and_is_never_worse_on_small_worlds) {
  std::mt19937_64 random(31);
  std::size_t which = 0;
  int moved = 0;
  place::for_each_small_problem(3, [&](const place::Problem& problem) {
    SCOPED_TRACE(place::text(problem));
    const auto all = place::algorithms();
    const Placement before = all[which % all.size()].place(problem);
    const auto networks = networks_for(problem.machine().nodes());
    const Allocation allocation =
        scattered(networks[which++ % networks.size()], problem.machine().nodes(), random);
    const NetworkProblem mapping(problem, before, allocation, {.most_rotations = 24});
    const NetworkPlacement result = mapping.placed(mapping.best(0, mapping.rotations()).rotation);
    expect_laws(problem, before, allocation, result);
    EXPECT_LE(result.score.weighted_hops, result.score_before.weighted_hops);
    moved += result.score.weighted_hops < result.score_before.weighted_hops;
    if (which % 7 == 0) expect_best(mapping, random);
  });
  EXPECT_GT(moved, 50);
}

TEST(NetworkPlacement, every_rotation_keeps_the_laws_on_uneven_machines) {
  std::mt19937_64 random(32);
  for (const char* nodes : {"5x4,6x2,4", "1,2,3,4,5,6,15", "9x4", "2,2,8,8,8,8", "36"}) {
    const place::Problem problem = place::make_problem("6x6 periodic:1,0", nodes, "hops");
    const Placement before = place::best(problem).placement;
    for (const Network& network : networks_for(problem.machine().nodes())) {
      const Allocation allocation = scattered(network, problem.machine().nodes(), random);
      const NetworkProblem mapping(problem, before, allocation, {.variant = NodeMapping::z2_2});
      for (Count rotation = NetworkProblem::unmoved; rotation < mapping.rotations(); ++rotation)
        expect_laws(problem, before, allocation, mapping.placed(rotation));
      expect_best(mapping, random);
    }
  }
}

TEST(NetworkPlacement, of_boxes_on_a_mesh_of_their_shape_needs_one_hop_a_message) {
  std::mt19937_64 random(33);
  // 8 x 8 x 8 boxes of 2 x 2 x 2 cells on a mesh of 8 x 8 x 8 nodes, whose names say nothing.
  const place::Problem problem = place::make_problem("16x16x16", "512x8", "nearest");
  const Placement before = place::algorithm("kd-tree").place(problem);
  const Allocation allocation = scattered(Network::mesh({8, 8, 8}), 512, random);
  const NetworkPlacement result = place_on_network(problem, before, allocation);
  EXPECT_EQ(result.score.weighted_hops, static_cast<double>(place::node_cost(problem, before).total.bytes));
  EXPECT_GT(result.score_before.weighted_hops, 5 * result.score.weighted_hops);
}

TEST(NetworkPlacement, finds_the_rotation_that_turns_the_network) {
  // A long grid on a torus whose long side is another one.
  const place::Problem problem = place::make_problem("16x2 periodic:1,0", "32x1", "1,0*9;-1,0*9;0,1;0,-1");
  const Placement before = place::algorithm("blocked").place(problem);
  const Allocation allocation = Allocation::whole(Network::parse("torus:2x16"));
  const NetworkPlacement result = place_on_network(problem, before, allocation);
  EXPECT_LT(result.score.weighted_hops, result.score_before.weighted_hops);
  // Less than two hops for each heavy message: around the ring it takes one to the next and back.
  EXPECT_LE(result.score.weighted_hops, 2 * 2 * 9 * 32);
}

TEST(NetworkPlacement, exchanges_only_nodes_that_are_alike_inside) {
  // Nodes of 4 ranks: two packages of 2, or one of 3 and one of 1, or one package.
  const Machine machine = Machine::parse("node:6 package:2,2,1,2,2,1 core:2,2,3,1,4,2,2,3,1,4");
  EXPECT_EQ(node_kinds(machine), (Counts{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(node_kinds(Machine::parse("nodes:3,2,3,1,2")), (Counts{0, 1, 0, 2, 1}));
  EXPECT_EQ(node_kinds(Machine::of_levels({2, 3, 2, 2})), (Counts{0, 0}));
  const Grid grid({4, 6});
  const place::Problem problem(grid, Stencil::nearest(2), machine);
  const Placement before = place::best(problem).placement;
  std::mt19937_64 random(34);
  const place::Cost cost_before = place::cost(problem, before);
  int moved = 0;
  for (int sample = 0; sample < 20; ++sample) {
    const Allocation allocation = scattered(Network::torus({4, 4}), 6, random);
    const NetworkPlacement result = place_on_network(problem, before, allocation);
    const Counts kinds = node_kinds(machine);
    for (std::size_t node = 0; node < 6; ++node)
      EXPECT_EQ(kinds[node], kinds[static_cast<std::size_t>(result.group_of_node[node])]);
    const place::Cost cost = place::cost(problem, result.placement);
    for (std::size_t level = 0; level < cost.levels.size(); ++level) {
      EXPECT_EQ(cost.levels[level].total, cost_before.levels[level].total);
      EXPECT_EQ(cost.levels[level].largest, cost_before.levels[level].largest);
    }
    moved += result.score.rotation != NetworkProblem::unmoved;
  }
  EXPECT_GT(moved, 0);
}

TEST(NodeGroups, are_at_their_centres_and_send_what_leaves_them) {
  place::for_each_random_problem(60, [](const place::Problem& problem) {
    SCOPED_TRACE(place::text(problem));
    const Placement placement = place::algorithm("strips").place(problem);
    const NodeGroups groups = node_groups(problem, placement);
    const place::LevelCost cost = place::node_cost(problem, placement);
    std::vector<double> leaving(static_cast<std::size_t>(problem.machine().nodes()), 0);
    std::pair<Count, Count> last{-1, -1};
    groups.messages.for_each_run([&](const TaskMessages::Run& run) {
      EXPECT_NE(run.from, run.to);
      EXPECT_LT(last, std::pair(run.from, run.to));  // one for each pair
      last = {run.from, run.to};
      leaving[static_cast<std::size_t>(run.from)] += run.weight;
    });
    EXPECT_EQ(std::accumulate(leaving.begin(), leaving.end(), 0.0), static_cast<double>(cost.total.bytes));
    if (!cost.by_group.empty()) {
      for (std::size_t node = 0; node < leaving.size(); ++node)
        EXPECT_EQ(leaving[node], static_cast<double>(cost.by_group[node].bytes));
    }
    const Runs& sizes = problem.machine().node_sizes();
    for (Count node = 0; node < sizes.size(); ++node) {
      Count sum = 0;
      for (Rank rank = sizes.start(node); rank < sizes.start(node + 1); ++rank)
        sum += placement.cell(rank)[0];
      EXPECT_EQ(groups.centres.at(static_cast<std::size_t>(node), 0),
                static_cast<double>(sum) / static_cast<double>(sizes[node]));
    }
  });
}

TEST(NetworkPlacement, refuses_what_does_not_fit) {
  const place::Problem problem = place::make_problem("4x4", "4x4", "nearest");
  const Placement placement = place::algorithm("blocked").place(problem);
  const Allocation four = Allocation::whole(Network::mesh({4}));
  const auto refused = [&](const Allocation& allocation, const NetworkOptions& options,
                           const auto&... words) {
    expect_error(
        Fault::invalid_argument, [&] { (void)place_on_network(problem, placement, allocation, options); },
        words...);
  };
  refused(Allocation::whole(Network::mesh({5})), {}, "5 nodes", "4");
  refused(four, {.variant = static_cast<NodeMapping>(9)}, "mapping", "9");
  refused(four, {.most_rotations = 0}, "0", "rotations");
  const place::Problem other = place::make_problem("2x8", "4x4", "nearest");
  expect_error(
      Fault::invalid_argument, [&] { (void)place_on_network(other, placement, four); }, "4x4", "2x8");
}

}  // namespace
}  // namespace halocline::plan
