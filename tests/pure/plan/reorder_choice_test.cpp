#include "plan/placement/reorder_choice.hpp"

#include <gtest/gtest.h>

#include <string>

namespace halocline::plan {
namespace {

/// What is decided, and what had to be found out for it.
struct Decided {
  GraphOrderChoice choice;
  std::string asked;
};

Decided decided(Count crossing, bool is_grid) {
  std::string asked;
  const GraphFacts facts{crossing, [&] {
                           asked += "grid ";
                           return is_grid;
                         }};
  const GraphOrderChoice choice = choose_graph_order(facts);
  return {choice, asked};
}

TEST(ReorderChoice, grids_are_placed_and_other_graphs_mapped) {
  EXPECT_EQ(decided(1, true).choice.order, GraphOrder::placement);
  EXPECT_EQ(decided(1, false).choice.order, GraphOrder::mapping);
  EXPECT_EQ(decided(0, true).choice.order, GraphOrder::none);
}

TEST(ReorderChoice, no_more_is_asked_than_counts) {
  EXPECT_EQ(decided(0, true).asked, "");
  EXPECT_EQ(decided(5, true).asked, "grid ");
  EXPECT_EQ(decided(5, false).asked, "grid ");
}

TEST(ReorderChoice, who_keeps_its_number_is_told_why) {
  for (const Count crossing : {0, 3})
    for (const bool is_grid : {false, true}) {
      const GraphOrderChoice choice = decided(crossing, is_grid).choice;
      EXPECT_EQ(choice.why_none != nullptr, choice.order == GraphOrder::none);
    }
  EXPECT_STREQ(decided(0, true).choice.why_none, "nothing crosses between nodes");
}

TEST(ReorderChoice, numbers_stay_unless_less_crosses) {
  EXPECT_TRUE(pays_to_renumber(10, 9));
  EXPECT_FALSE(pays_to_renumber(10, 10));
  EXPECT_FALSE(pays_to_renumber(0, 0));
}

TEST(ReorderChoice, only_graphs_that_fit_one_process_are_gathered) {
  EXPECT_TRUE(is_gathered(Count{1} << 22));
  EXPECT_FALSE(is_gathered((Count{1} << 22) + 1));
}

}  // namespace
}  // namespace halocline::plan
