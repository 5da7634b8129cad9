#include "mpi/discovery/group_tree.hpp"

#include <gtest/gtest.h>

namespace halocline::mpi {
namespace {

TEST(GroupTree, counts_children_level_by_level) {
  const std::vector<Path> paths{{1, 0}, {0, 7}, {1, 0}, {0, 2}, {0, 7}};
  const GroupTree tree = group_by_path(paths, 2);
  EXPECT_EQ(tree.order, (std::vector<std::size_t>{3, 1, 4, 0, 2}));
  EXPECT_EQ(tree.children, (std::vector<Counts>{{2}, {2, 1}, {1, 2, 2}}));
}

TEST(GroupTree, equal_numbers_under_different_parents_are_different_groups) {
  const std::vector<Path> paths{{0, 5}, {1, 5}};
  EXPECT_EQ(group_by_path(paths, 2).children, (std::vector<Counts>{{2}, {1, 1}, {1, 1}}));
}

TEST(GroupTree, further_components_order_the_leaves_only) {
  const std::vector<Path> paths{{0, 9}, {0, 3}, {0, 9}, {1, 0}};
  const GroupTree tree = group_by_path(paths, 1);
  EXPECT_EQ(tree.order, (std::vector<std::size_t>{1, 0, 2, 3}));
  EXPECT_EQ(tree.children, (std::vector<Counts>{{2}, {3, 1}}));
}

TEST(GroupTree, no_depth_means_one_group) {
  const std::vector<Path> paths(3);
  EXPECT_EQ(group_by_path(paths, 0).children, (std::vector<Counts>{{3}}));
}

TEST(GroupTree, trivial_levels_go_but_nodes_and_leaves_stay) {
  const Machine machine = Machine::parse("node:1 package:1 numa:2 l3:1 core:1");
  EXPECT_EQ(Machine(without_trivial_levels(machine.levels())).to_text(), "node:1 numa:2 core:1");
}

}  // namespace
}  // namespace halocline::mpi
