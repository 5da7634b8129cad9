// The value, its text form, and sums of parts.

#include "trace/trace.hpp"

#include "expect_error.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

namespace halocline::trace {
namespace {

Trace small() {
  return {4,
          {{1, 0.1, "n0"}, {0, 2, "n0"}},
          {{0, 1, Way::message, {2, 16}},
           {0, outside, Way::message, {1, 4}},
           {3, 0, Way::one_sided, {1, 8}},
           {0, 1, Way::message, {1, 100}}},
          {{0, Collective::reduce_scatter, {1, 24}}},
          {{0, Activity::wait, 3, 1e-7}, {0, Activity::wait, 1, 1e-7}}};
}

TEST(Trace, is_in_order_and_added_up) {
  const Trace trace = small();
  EXPECT_EQ(trace.processes(), (std::vector<Process>{{0, 2, "n0"}, {1, 0.1, "n0"}}));
  EXPECT_EQ(trace.flows(), (std::vector<Flow>{{0, outside, Way::message, {1, 4}},
                                              {0, 1, Way::message, {3, 116}},
                                              {3, 0, Way::one_sided, {1, 8}}}));
  EXPECT_EQ(trace.times(), (std::vector<Time>{{0, Activity::wait, 4, 2e-7}}));
}

TEST(Trace, has_the_documented_text_form) {
  EXPECT_EQ(small().to_text(),
            "halocline trace 1\n"
            "ranks 4\n"
            "process 0 2 n0\n"
            "process 1 0.1 n0\n"
            "flow message 0 outside 1 4\n"
            "flow message 0 1 3 116\n"
            "flow one-sided 3 0 1 8\n"
            "collective reduce-scatter 0 1 24\n"
            "time wait 0 4 2e-07\n"
            "end\n");
}

std::vector<Trace> random_parts(std::mt19937& random, Count ranks) {
  const auto below = [&](Count end) { return std::uniform_int_distribution<Count>(0, end - 1)(random); };
  std::vector<Trace> parts;
  for (Count rank = 0; rank < ranks; ++rank) {
    std::vector<Flow> flows;
    std::vector<Share> shares;
    std::vector<Time> times;
    for (Count i = below(20); i > 0; --i) {
      const Count partner = below(ranks + 1) - 1;
      const bool got = below(2) == 0;
      flows.push_back({got ? partner : rank,
                       got ? rank : partner,
                       static_cast<Way>(below(std::ssize(way_names))),
                       {below(1000), below(Count{1} << 50)}});
      shares.push_back({rank, static_cast<Collective>(below(std::ssize(collective_names))), {1, below(99)}});
      times.push_back({rank, static_cast<Activity>(below(std::ssize(activity_names))), below(9),
                       std::uniform_real_distribution<>(0, 1e-3)(random)});
    }
    parts.emplace_back(ranks, std::vector<Process>{{rank, 1.5, "node" + std::to_string(below(3))}},
                       std::move(flows), std::move(shares), std::move(times));
  }
  return parts;
}

TEST(Trace, is_read_as_it_was_written) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (const Trace& part : random_parts(random, 1 + seed % 7))
      EXPECT_EQ(Trace::parse(part.to_text()), part);
  }
}

TEST(Trace, sums_keep_every_message_in_whatever_order_parts_come) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<Trace> parts = random_parts(random, 6);
    Volume expected;
    for (const Trace& part : parts)
      for (const Flow& flow : part.flows()) expected += flow.volume;
    const Trace whole = sum(parts);
    Volume found;
    for (const Flow& flow : whole.flows()) found += flow.volume;
    EXPECT_EQ(found, expected);
    EXPECT_EQ(whole.processes().size(), parts.size());
    std::vector<Trace> turned(parts.rbegin(), parts.rend());
    EXPECT_EQ(sum(turned), whole);
    const Trace halves = sum({sum({parts[0], parts[1], parts[2]}), sum({parts[3], parts[4], parts[5]})});
    EXPECT_EQ(halves, whole);
  }
}

TEST(Trace, takes_memory_by_partners_and_not_by_ranks) {
  const Count ranks = std::numeric_limits<Count>::max();
  const Trace part(ranks, {{ranks - 1, 1, "far"}}, {{ranks - 1, 0, Way::neighbor, {1, 1}}}, {}, {});
  EXPECT_EQ(Trace::parse(part.to_text()), part);
}

void expect_refused(const std::string& lines, const std::string& line, const std::string& words) {
  expect_error(
      Fault::invalid_argument, [&] { (void)Trace::parse("halocline trace 1\nranks 4\n" + lines); }, line,
      words);
}

TEST(Trace, damaged_texts_are_refused_by_line_and_value) {
  expect_refused("flow message 0 1 2\nend\n", "line 3", "flow message 0 1 2");
  expect_refused("end\nflow message 0 1 2 3\n", "line 4", "behind the end");
  expect_refused("flow message 0 x 2 3\n", "line 3", "found 'x");
  expect_refused("flow mesage 0 1 2 3\nend\n", "line 3", "mesage");
  expect_refused("ranks 5\nend\n", "line 3", "twice");
  expect_refused("collective sort 0 1 2\nend\n", "line 3", "sort");
  expect_refused("time wait 0 1 nan\nend\n", "line 3", "nan");
  expect_refused("time wait 0 1 1e999\nend\n", "line 3", "1e999");
  expect_refused("flow message 0 1 2 99999999999999999999\nend\n", "line 3", "99999999999999999999");
  expect_refused("process 0 1 n0 n1\nend\n", "line 3", "n1");
  expect_refused("garbage\nend\n", "line 3", "garbage");
  expect_refused("\nend\n", "line 3", "begins with no word");
  expect_refused("flow message 0 1 2 3\n", "3 lines", "something is missing");
  expect_error(
      Fault::invalid_argument, [] { (void)Trace::parse(""); }, "empty");
  expect_error(
      Fault::invalid_argument, [] { (void)Trace::parse("#!/bin/sh\n"); }, "line 1", "#!/bin/sh");
  expect_error(
      Fault::unsupported, [] { (void)Trace::parse("halocline trace 2\nend\n"); }, "version 2");
  expect_error(
      Fault::invalid_argument, [] { (void)Trace::parse("halocline trace 1\nend\n"); }, "ranks 64");
  // Every text that was cut off is refused: it may have lost messages.
  const std::string whole = small().to_text();
  for (std::size_t length = 0; length + 1 < whole.size(); ++length)
    EXPECT_THROW((void)Trace::parse(whole.substr(0, length)), Error) << length;
}

TEST(Trace, values_that_make_no_sense_are_refused) {
  expect_refused("flow message 0 4 1 1\nend\n", "rank 4", "from 0 to 3");
  expect_refused("flow message 0 1 -1 1\nend\n", "-1", "messages");
  expect_refused("flow message 0 1 1 -5\nend\n", "-5", "bytes");
  expect_refused("flow message outside outside 1 1\nend\n", "outside", "no process");
  expect_refused("process 7 1 n0\nend\n", "rank 7", "from 0 to 3");
  expect_refused("process 0 1 n0\nprocess 0 1 n1\nend\n", "process 0", "twice");
  expect_refused("process 0 -1 n0\nend\n", "-1 seconds", "");
  expect_error(
      Fault::invalid_argument, [] { Trace(0, {}, {}, {}, {}); }, "0 ranks");
  expect_error(
      Fault::invalid_argument,
      [] {
        Trace(1, {{0, 1, "two words"}}, {}, {}, {});
      },
      "two words");
}

TEST(Trace, parts_that_do_not_belong_together_are_refused) {
  const Trace part(4, {{0, 1, "n0"}}, {}, {}, {}), other(5, {{1, 1, "n0"}}, {}, {}, {});
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)sum({part, other});
      },
      "4", "5 ranks", "same job");
  expect_error(
      Fault::invalid_argument,
      [&] {
        (void)sum({part, part});
      },
      "process 0 comes twice");
  expect_error(
      Fault::invalid_argument, [] { (void)sum({}); }, "no part");
}

}  // namespace
}  // namespace halocline::trace
