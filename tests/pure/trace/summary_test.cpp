// What `halocline trace --show` prints of a trace.

#include "trace/summary.hpp"

#include <gtest/gtest.h>

namespace halocline::trace {
namespace {

TEST(Summary, tells_where_bytes_go) {
  // Ranks 0 and 1 on one node, 2 on another, and nothing is known of 3.
  const Trace trace(4, {{0, 1, "a"}, {1, 3, "a"}, {2, 2, "b"}},
                    {{0, 0, Way::message, {1, 1}},
                     {0, 1, Way::message, {1, 10}},
                     {0, 1, Way::neighbor, {2, 20}},
                     {1, 2, Way::one_sided, {1, 1000}},
                     {2, 3, Way::message, {1, 10000}},
                     {0, outside, Way::message, {5, 100000}}},
                    {{0, Collective::bcast, {2, 8}}, {1, Collective::bcast, {2, 0}}},
                    {{0, Activity::wait, 2, 0.5}, {1, Activity::wait, 3, 0.25}});
  const Summary summary = summarize(trace, 2);
  EXPECT_EQ(summary.nodes, 2);
  EXPECT_EQ(summary.seconds, 3);
  EXPECT_EQ(summary.by_way[to_index(Way::message)], (Volume{8, 110011}));
  EXPECT_EQ(summary.by_way[to_index(Way::neighbor)], (Volume{2, 20}));
  EXPECT_EQ(summary.within_process, (Volume{1, 1}));
  EXPECT_EQ(summary.within_nodes, (Volume{3, 30}));
  EXPECT_EQ(summary.between_nodes, (Volume{1, 1000}));
  EXPECT_EQ(summary.unknown, (Volume{1, 10000}));
  EXPECT_EQ(summary.with_outside, (Volume{5, 100000}));
  EXPECT_EQ(summary.pairs, 3);
  EXPECT_EQ(summary.largest, (std::vector<Pair>{{2, 3, {1, 10000}, std::nullopt}, {1, 2, {1, 1000}, true}}));
  EXPECT_EQ(summary.collectives[to_index(Collective::bcast)], (Volume{4, 8}));
  const TimeSum& waiting = summary.times[to_index(Activity::wait)];
  EXPECT_EQ(waiting.calls, 5);
  EXPECT_EQ(waiting.seconds, 0.75);
  EXPECT_EQ(waiting.longest_seconds, 0.5);
}

TEST(Summary, equal_pairs_come_by_rank) {
  const Trace trace(3, {}, {{2, 0, Way::message, {1, 8}}, {0, 1, Way::message, {1, 8}}}, {}, {});
  const Summary summary = summarize(trace, 9);
  ASSERT_EQ(summary.largest.size(), 2U);
  EXPECT_EQ(summary.largest[0].source, 0);
  EXPECT_EQ(summary.largest[1].source, 2);
}

}  // namespace
}  // namespace halocline::trace
