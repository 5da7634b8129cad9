#include "plan/placement/network_contest.hpp"

#include "expect_error.hpp"
#include "metrics_of_cells.hpp"
#include "place/algorithms.hpp"
#include "place/best.hpp"
#include "place/worlds.hpp"

#include <algorithm>
#include <random>

namespace halocline::plan {
namespace {

double fullest_link(const place::Problem& problem, const Placement& placement, const Allocation& allocation) {
  return metrics_of_cells(problem, placement, allocation).max_latency;
}

Candidate best_of(const place::Problem& problem) {
  const place::BestPlacement best = place::best(problem);
  return {std::string(best.algorithm), best.placement};
}

/// Small worlds on networks of every kind, with links of different speeds.
template <class Act>
void for_each_world(const Act& act) {
  for (const auto& [network, nodes] :
       {std::pair("torus:4x3x2 bandwidth:2,1/3,1", "18x4"), std::pair("mesh:4x4 hosts:2", "12x4,8x2,8"),
        std::pair("fat-tree:3x6 parents:2x1 bandwidth:2,3", "18x4"),
        std::pair("dragonfly:3x4x2", "2x1,10x7")})
    for (const char* grid : {"9x8", "6x12 periodic:1,1", "6x4x3"})
      for (const char* stencil : {"nearest", "moore:1"}) {
        const place::Problem problem = place::make_problem(grid, nodes, stencil);
        Counts all(static_cast<std::size_t>(problem.machine().nodes()));
        for (std::size_t node = 0; node < all.size(); ++node) all[node] = static_cast<Count>(node);
        SCOPED_TRACE(place::text(problem) + " on " + network);
        act(problem, Allocation(Network::parse(network), all));
      }
}

TEST(NetworkContest, is_entered_by_others_only_where_the_fullest_link_counts) {
  const place::Problem problem = place::make_problem("8x8", "8x8", "nearest");
  const auto names = [&](const char* wanted, const char* variant) {
    std::vector<std::string> all;
    for (const Candidate& candidate : network_candidates(problem, best_of(problem), wanted, variant))
      all.push_back(candidate.algorithm);
    return all;
  };
  const std::string best = best_of(problem).algorithm;
  EXPECT_EQ(names("best", "z2_1"), std::vector{best});
  EXPECT_EQ(names(best.c_str(), "links"), std::vector{best});
  const std::vector<std::string> all = names("best", "links");
  EXPECT_EQ(all.front(), best);
  EXPECT_EQ(all.size(), place::algorithms().size() - 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), "random"), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), "blocked"), 1);
  expect_error(
      Fault::invalid_argument, [&] { (void)network_candidates(problem, best_of(problem), "best", "z9"); },
      "z9", "links");
}

TEST(NetworkContest, has_no_fuller_link_than_any_algorithm_as_it_is) {
  int won_by_others = 0;
  for_each_world([&](const place::Problem& problem, const Allocation& allocation) {
    const Candidate best = best_of(problem);
    const auto [algorithm, on_network] =
        place_on_network(problem, network_candidates(problem, best, "best", "links"), allocation,
                         {.variant = NodeMapping::links});
    EXPECT_EQ(on_network.score.fullest_link, fullest_link(problem, on_network.placement, allocation));
    for (const place::Algorithm& other : place::algorithms()) {
      if (other.name == "random") continue;
      EXPECT_LE(on_network.score.fullest_link, fullest_link(problem, other.place(problem), allocation))
          << other.name;
    }
    EXPECT_EQ(on_network.score_before.fullest_link, fullest_link(problem, best.placement, allocation));
    won_by_others += algorithm != best.algorithm;
    // Whole nodes of cells, as many as the machine has.
    Counts owned(static_cast<std::size_t>(problem.machine().nodes()), 0);
    for (Rank rank = 0; rank < problem.grid().size(); ++rank) {
      const Cell cell = on_network.placement.cell(rank);
      ASSERT_EQ(on_network.placement.rank(cell), rank);
      ++owned[static_cast<std::size_t>(problem.machine().node_of(rank))];
    }
    for (Count node = 0; node < problem.machine().nodes(); ++node)
      EXPECT_EQ(owned[static_cast<std::size_t>(node)], problem.machine().node_sizes()[node]);
  });
  EXPECT_GT(won_by_others, 0);
}

TEST(NetworkContest, finds_the_same_winner_however_the_work_is_shared) {
  std::mt19937_64 random(41);
  for_each_world([&](const place::Problem& problem, const Allocation& allocation) {
    const NetworkContest contest(problem, network_candidates(problem, best_of(problem), "best", "links"),
                                 allocation, {.variant = NodeMapping::links, .most_rotations = 5});
    network::Score least = contest.best(0, 0);
    EXPECT_EQ(least.rotation, 0);
    for (Count mapping = 0; mapping < contest.size(); ++mapping) {
      network::Score score = contest.winner(mapping).on_network.score;
      score.rotation = mapping;
      least = std::min(least, score);
    }
    EXPECT_EQ(contest.best(0, contest.size()), least);
    for (const Count shares : {Count{2}, Count{7}, contest.size() + 3}) {
      network::Score shared = contest.best(0, 0);
      for (Count share = 0; share < shares; ++share)
        shared = std::min(
            shared, contest.best(contest.size() * share / shares, contest.size() * (share + 1) / shares));
      EXPECT_EQ(shared, least) << shares;
    }
  });
}

TEST(NetworkContest, refuses_to_be_empty) {
  const place::Problem problem = place::make_problem("4x4", "4x4", "nearest");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)place_on_network(problem, std::vector<Candidate>(), Allocation::whole(Network::mesh({4})));
      },
      "placement");
}

}  // namespace
}  // namespace halocline::plan
