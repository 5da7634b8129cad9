#include "place/slurm_distribution.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "place/algorithms.hpp"
#include "place/problem/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace halocline::place {
namespace {

/// The node of each rank as Slurm deals them: so many at once to each node in turn, until all are full.
Counts dealt(Count nodes, Count each, Count plane) {
  Counts free(static_cast<std::size_t>(nodes), each), node_of_rank;
  for (std::size_t node = 0; node_of_rank.size() < static_cast<std::size_t>(nodes * each);
       node = (node + 1) % free.size())
    for (Count i = 0; i < plane && free[node] > 0; ++i, --free[node])
      node_of_rank.push_back(static_cast<Count>(node));
  return node_of_rank;
}

/// The same with nodes numbered as they come.
Counts renamed(Counts nodes) {
  std::map<Count, Count> name;
  for (Count& node : nodes) node = name.emplace(node, static_cast<Count>(name.size())).first->second;
  return nodes;
}

Counts nodes_of_ranks(const Problem& problem, const Placement& placement) {
  Counts nodes;
  for (Rank rank = 0; rank < problem.grid().size(); ++rank)
    nodes.push_back(problem.machine().node_of(placement.rank(problem.grid().cell(rank))));
  return nodes;
}

/// Every word is tried; on one node, and with one rank a node, all are the same.
std::string expected_word(const Problem& problem, const Counts& nodes) {
  if (!problem.machine().node_sizes().uniform()) return "";
  const Count each = problem.machine().node_sizes()[0];
  for (Count plane = each; plane >= 1; --plane)
    if (each % plane == 0 && dealt(problem.machine().nodes(), each, plane) == nodes)
      return plane == each ? "block" : plane == 1 ? "cyclic" : "plane=" + std::to_string(plane);
  return "";
}

TEST(SlurmDistribution, is_the_one_that_deals_ranks_like_that) {
  std::set<std::string> seen, seen_by_name;
  std::mt19937 random(11);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  for (int world = 0; world < 400; ++world) {
    const Grid grid({draw(1, 6), draw(1, 12)});
    const Count nodes = draw(1, 6);
    if (grid.size() % nodes != 0) continue;
    for (const Algorithm& algorithm : algorithms()) {
      const Problem problem(grid, Stencil::nearest(2),
                            Machine::of_nodes(Runs::of(nodes, grid.size() / nodes)));
      const Placement placement = algorithm.place(problem);
      const Counts where = nodes_of_ranks(problem, placement);
      SCOPED_TRACE(concat(join(grid.extents(), "x"), " on ", nodes, " nodes by ", algorithm.name));
      const std::string word = slurm_distribution(placement, problem.machine(), false);
      EXPECT_EQ(word, expected_word(problem, renamed(where)));
      const std::string by_name = slurm_distribution(placement, problem.machine(), true);
      EXPECT_EQ(by_name, expected_word(problem, where));
      seen.insert(word.substr(0, word.find('=')));
      seen_by_name.insert(by_name.substr(0, by_name.find('=')));
    }
  }
  EXPECT_EQ(seen, (std::set<std::string>{"", "block", "cyclic", "plane"}));
  EXPECT_EQ(seen_by_name, seen);
}

TEST(SlurmDistribution, has_no_word_for_nodes_of_different_sizes) {
  const Problem problem(Grid({6}), Stencil::nearest(1), Machine::parse("nodes:2,4"));
  EXPECT_EQ(slurm_distribution(algorithm("blocked").place(problem), problem.machine(), false), "");
}

}  // namespace
}  // namespace halocline::place
