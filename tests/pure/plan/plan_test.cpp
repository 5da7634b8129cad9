#include "halocline/plan/plan.hpp"

#include "expect_error.hpp"
#include "problems.hpp"

#include <algorithm>
#include <limits>

namespace halocline::plan {
namespace {

TEST(Plan, the_default_is_that_of_mpi) {
  const auto dims = [](Count ranks, Counts mesh, Counts fixed = {}) {
    const std::size_t dimensions = mesh.size();
    return default_plan({Mesh(std::move(mesh)),
                         Stencil::nearest(dimensions),
                         Machine::of_nodes(Runs::of(1, ranks)),
                         {},
                         std::move(fixed)})
        .grid.extents();
  };
  EXPECT_EQ(dims(6, {100, 100}), (Counts{3, 2}));
  EXPECT_EQ(dims(7, {100, 100}), (Counts{7, 1}));
  EXPECT_EQ(dims(6, {10, 1000}), (Counts{3, 2}));  // whatever the mesh
  EXPECT_EQ(dims(2400, {1000, 1100, 950}), (Counts{16, 15, 10}));
  EXPECT_EQ(dims(24, {100, 100, 100}, {0, 2, 0}), (Counts{4, 2, 3}));
  const Plan plan = default_plan(problem_of("24x24", "nearest", "nodes:4,2"));
  for (Rank rank = 0; rank < 6; ++rank) EXPECT_EQ(plan.grid.index(plan.placement.cell(rank)), rank);
}

TEST(Plan, takes_the_fastest_schedule_by_its_prices) {
  const Problem problem = problem_of("24x24x24", "moore:1", "nodes:4x6");
  const Plan messages_dear = make_plan(problem, with(LevelCosts{{1e-9, 1e-13}, {1e-3, 1e-13}}));
  const Plan bytes_dear = make_plan(problem, with(LevelCosts{{1e-9, 1e-6}, {1e-9, 1e-6}}));
  EXPECT_EQ(messages_dear.schedule, "node");
  EXPECT_EQ(bytes_dear.schedule, "direct");
  for (const Plan& plan : {messages_dear, bytes_dear})
    for (const RatedSchedule& rated : plan.schedules)
      EXPECT_LE(plan.prediction.seconds.total(), rated.prediction.seconds.total()) << rated.name;
  EXPECT_EQ(make_plan(problem, with("torus")).schedule, "torus");
}

TEST(Plan, a_node_schedule_costs_messages_copies_and_bytes) {
  // Two nodes of two processes in a row: one message each way, put together from one process's face.
  Problem problem = problem_of("8x10", "nearest", "nodes:2,2");
  problem.fixed = {4, 1};
  const Plan plan = make_plan(problem, with(prices, "node"));
  const double face = 10 * 3 * 4;
  EXPECT_EQ(plan.prediction.total.network, (Traffic{2, 2 * 10 * 3 * 4}));
  EXPECT_DOUBLE_EQ(plan.prediction.seconds.network_messages, prices.between_nodes.round_seconds);
  EXPECT_DOUBLE_EQ(plan.prediction.seconds.network_bytes, face * prices.between_nodes.byte_seconds);
  EXPECT_DOUBLE_EQ(plan.prediction.seconds.copies, 2 * face * prices.on_node.byte_seconds);
}

TEST(Plan, halos_without_width_send_nothing_that_way) {
  const Problem problem = problem_of("24x24x24", "nearest", "nodes:4x6", {1, 0, 0});
  const Plan plan = make_plan(problem);
  const LevelTraffic& sent = plan.prediction.total;
  EXPECT_EQ(sent.self.bytes + sent.node.bytes + sent.network.bytes,
            2 * (plan.grid.extents()[0] - 1) * 24 * 24 * 12);
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)make_plan(problem_of("24x24", "nearest", "nodes:4", {0, 0}));
      },
      "nothing to send");
}

TEST(Plan, packs_rows_in_few_pieces_and_columns_in_many) {
  Problem problem = problem_of("40x60", "nearest", "nodes:4", {1, 2});
  problem.fixed = {2, 2};
  const std::vector<Packing> packing = make_plan(problem).packing;
  ASSERT_EQ(packing.size(), 2U);
  for (const Packing& message : packing) {
    const bool rows = message.direction[0] != 0;
    EXPECT_EQ(message.pieces, rows ? 3 : 3 * 20);
    EXPECT_EQ(message.bytes, rows ? 3 * 4 * 30 : 3 * 4 * 20 * 2);
  }
}

TEST(Plan, explains_in_words_and_is_better_than_the_default) {
  const Explanation both = explain(problem_of("1000x1100x950", "moore:1", "nodes:50x48"));
  ASSERT_TRUE(both.usual);
  EXPECT_GT(both.speedup(), 1);
  EXPECT_LT(both.plan.prediction.total.network.bytes, both.usual->prediction.total.network.bytes);
  ASSERT_EQ(both.plan.reasons.size(), 4U);
  EXPECT_NE(both.plan.reasons[0].find(both.plan.grid.to_text()), std::string::npos);
}

TEST(Plan, what_a_placement_keeps_on_nodes_is_the_same_with_every_schedule) {
  for (const char* mesh : {"24x24x24", "24x24x24 periodic:all"}) {
    Problem problem = problem_of(mesh, "moore:1", "nodes:4x6");
    problem.fixed = {6, 2, 2};
    const std::string sentence = make_plan(problem, with("direct")).reasons[1];
    EXPECT_NE(sentence.find("% of all bytes stay on their node"), std::string::npos) << sentence;
    for (const char* schedule : {"node", "mixed", "torus", "torus-direct", "basis", "auto"})
      EXPECT_EQ(make_plan(problem, with(schedule)).reasons[1], sentence) << schedule;
  }
}

TEST(Plan, says_why_there_is_no_default) {
  const Explanation both = explain(problem_of("2x1000", "nearest", "nodes:4x4"));
  EXPECT_FALSE(both.usual);
  EXPECT_NE(both.why_not_usual.find("4"), std::string::npos);
  const Explanation thin = explain(problem_of("12x1000", "nearest", "nodes:4x4", {4, 4}));
  EXPECT_FALSE(thin.usual);
  EXPECT_NE(thin.why_not_usual.find("3 points along dimension 0"), std::string::npos) << thin.why_not_usual;
}

TEST(Plan, refuses_what_makes_no_sense) {
  const auto refused = [](Problem problem, const Choices& choices, Fault fault, const char* word) {
    expect_error(
        fault, [&] { (void)make_plan(problem, choices); }, word);
  };
  const Problem good = problem_of("25x25", "nearest", "nodes:4x4");
  Problem bad = good;
  bad.fields = 0;
  refused(bad, {}, Fault::invalid_argument, "0 fields");
  bad = good;
  bad.value_bytes = -8;
  refused(bad, {}, Fault::invalid_argument, "-8 bytes");
  bad = good;
  bad.halo = {1};
  refused(bad, {}, Fault::invalid_dimensions, "1 widths");
  bad.halo = {1, -1};
  refused(bad, {}, Fault::invalid_argument, "-1");
  bad = good;
  bad.value_bytes = std::numeric_limits<Count>::max() / 2;
  refused(bad, {}, Fault::invalid_argument, "64 bits");
  Choices unknown;
  unknown.schedule = static_cast<ScheduleChoice>(77);
  refused(good, unknown, Fault::invalid_argument, "77");
  refused(good, with("torus"), Fault::unsupported, "25x25");
  refused(good, with(LevelCosts{{-1, 0}, {0, 0}}), Fault::invalid_argument, "-1");
}

}  // namespace
}  // namespace halocline::plan
