// Files of measured prices: what is written is read back, damage is named with its line.
#include "plan/prices/price_file.hpp"

#include "expect_error.hpp"
#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace halocline::plan::price_file_tests {
namespace {

const std::string first = "halocline prices 1\n";
const std::string network_line =
    "network alpha=5e-07 beta=8e-11 latency=1.5e-06 host=n* mpi=openmpi network=infiniband processes=48 "
    "largest=87381";
const std::string node_line =
    "node alpha=2e-07 beta=1e-10 latency=0 host=n* mpi=openmpi network=infiniband processes=48 largest=87381";

Price price(const std::string& level, double alpha, const Circumstances& measured) {
  return {level, {alpha, 1e-10, 2e-6}, measured, 4096};
}

TEST(PriceFile, says_what_each_level_costs_and_where) {
  const std::vector<Price> prices =
      parse_prices(first + "# a comment\n\n" + network_line + "\n  \t" + node_line + " \r\n");
  ASSERT_EQ(prices.size(), 2U);
  EXPECT_EQ(prices[0].level, "network");
  EXPECT_EQ(prices[0].cost.round_seconds, 5e-7);
  EXPECT_EQ(prices[0].cost.byte_seconds, 8e-11);
  EXPECT_EQ(prices[0].cost.latency_seconds, 1.5e-6);
  EXPECT_EQ(prices[0].measured, (Circumstances{"n*", "openmpi", "infiniband", 48}));
  EXPECT_EQ(prices[0].largest_bytes, 87381);
  EXPECT_EQ(prices[0].line, 4U);
  EXPECT_EQ(prices[1].level, "node");
  EXPECT_EQ(prices[1].line, 5U);
  EXPECT_TRUE(parse_prices(first).empty());
}

TEST(PriceFile, keys_stand_in_any_order) {
  const std::vector<Price> prices = parse_prices(
      first + "node largest=8 processes=2 network=tcp mpi=mpich host=x latency=3 beta=2 alpha=1\n");
  ASSERT_EQ(prices.size(), 1U);
  EXPECT_EQ(to_text(prices[0]),
            "node alpha=1 beta=2 latency=3 host=x mpi=mpich network=tcp processes=2 largest=8");
}

TEST(PriceFile, what_is_written_is_read_back_exactly) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-300, 100);
  for (int i = 0; i < 1000; ++i) {
    const auto some = [&] { return std::pow(10.0, exponent(random)); };
    const Price written{"level" + std::to_string(i),
                        {some(), some(), i % 3 == 0 ? 0 : some()},
                        {"h*-" + std::to_string(i), "m", "n", 1 + i},
                        std::numeric_limits<Count>::max() - i};
    const std::vector<Price> read = parse_prices(with_prices("", {{written}}));
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].level, written.level);
    EXPECT_EQ(read[0].cost.round_seconds, written.cost.round_seconds);
    EXPECT_EQ(read[0].cost.byte_seconds, written.cost.byte_seconds);
    EXPECT_EQ(read[0].cost.latency_seconds, written.cost.latency_seconds);
    EXPECT_EQ(read[0].measured, written.measured);
    EXPECT_EQ(read[0].largest_bytes, written.largest_bytes);
  }
}

TEST(PriceFile, nothing_is_written_that_could_not_be_read) {
  const Circumstances here{"n1", "mpich", "tcp", 1};
  const auto refused = [](const Price& price) {
    EXPECT_THROW((void)to_text(price), Error);
    EXPECT_THROW((void)with_prices("", {{price}}), Error);
  };
  for (const double seconds :
       {-1e-9, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e101})
    refused(price("node", seconds, here));
  for (const char* const name : {"", "a b", "a\n", "a\tb", "\x80"}) {
    refused(price(name, 1, here));
    refused(price("node", 1, {name, "mpich", "tcp", 1}));
    refused(price("node", 1, {"n1", name, "tcp", 1}));
    refused(price("node", 1, {"n1", "mpich", name, 1}));
  }
  for (const char* const level : {"#node", "no=de"}) refused(price(level, 1, here));
  refused(price("node", 1, {"n1", "mpich", "tcp", 0}));
}

TEST(PriceFile, another_version_or_another_file_is_named) {
  const auto refused = [](const std::string& text, const auto&... words) {
    expect_error(
        Fault::invalid_argument, [&] { (void)parse_prices(text); }, "line 1", words...);
  };
  refused("halocline prices 2\n" + network_line + "\n", "version \"2\"", "reads version 1");
  refused("halocline prices 10\n", "version \"10\"");
  refused("halocline prices \n", "version \"\"");
  refused("halocline prices 1 2\n", "version \"1 2\"");
  refused("", "begins with \"halocline prices 1\"");
  refused("\n" + first, "begins with");
  refused("{\"levels\": []}\n", "{", "begins with");
  refused(std::string(5000, '\0'), "????", "begins with");
  refused("halocline prices 1", "cut off");
}

TEST(PriceFile, a_file_that_was_cut_off_anywhere_is_refused_or_has_fewer_lines) {
  const std::string whole = first + network_line + "\n" + node_line + "\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string part = whole.substr(0, length);
    if (length > 0 && part.back() == '\n')
      EXPECT_LT(parse_prices(part).size(), 2U);
    else
      EXPECT_THROW((void)parse_prices(part), Error) << length;
  }
  EXPECT_EQ(parse_prices(whole).size(), 2U);
}

TEST(PriceFile, damage_is_named_with_its_line) {
  const auto damaged = [](const std::string& word, const std::string& instead, const auto&... words) {
    std::string line = network_line;
    line.replace(line.find(word), word.size(), instead);
    expect_error(
        Fault::invalid_argument, [&] { (void)parse_prices(first + node_line + "\n" + line + "\n"); },
        "line 3", words...);
  };
  for (const std::string wrong : {"", "x", "-1e-06", "nan", "inf", "1e101", "1e-999", "1,5", "0x1", "1s"}) {
    damaged("alpha=5e-07", "alpha=" + wrong, "alpha", wrong);
    damaged("beta=8e-11", "beta=" + wrong, "beta", wrong);
    damaged("latency=1.5e-06", "latency=" + wrong, "latency", wrong);
  }
  for (const std::string wrong : {"", "x", "0", "-1", "1.5", "9223372036854775808", "1e3"}) {
    damaged("processes=48", "processes=" + wrong, "processes", wrong);
    damaged("largest=87381", "largest=" + wrong, "largest", wrong);
  }
  for (const std::string key : {"alpha=5e-07", "beta=8e-11", "latency=1.5e-06", "host=n*", "mpi=openmpi",
                                "network=infiniband", "processes=48", "largest=87381"}) {
    const std::string name = key.substr(0, key.find('='));
    damaged(" " + key, "", name, "is missing");
    damaged(key, key + " " + key, name, "is said twice");
    damaged(key, name, "\"" + name + "\" is none of");
    damaged(key, name + "=", name + " is \"\"");
    damaged(key, "x" + key, "\"x" + key + "\" is none of");
  }
  damaged("host=n*", "host=n\x01", "host is \"n?\"");
  damaged("network alpha", "alpha", "begins with \"alpha=5e-07\"");
  damaged("network alpha", "=network alpha", "begins with \"=network\"");
}

TEST(PriceFile, a_refusal_is_one_line_of_bearable_length) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> any(-128, 127);
  for (int i = 0; i < 200; ++i) {
    std::string garbage(3000, ' ');
    for (char& c : garbage) c = static_cast<char>(any(random));
    for (const std::string& text : {garbage, first + garbage, first + network_line + garbage}) try {
        (void)parse_prices(text);
        ADD_FAILURE() << "seed 3, case " << i;
      } catch (const Error& error) {
        const std::string what = error.what();
        EXPECT_LT(what.size(), 300U);
        EXPECT_TRUE(std::all_of(what.begin(), what.end(), [](char c) { return c >= ' ' && c < '\x7f'; }))
            << what;
      }
  }
}

TEST(PriceFile, what_is_measured_again_is_replaced_and_all_else_stays) {
  const Circumstances eight{"n*", "openmpi", "tcp", 8}, one{"n*", "openmpi", "tcp", 1};
  const std::string old =
      with_prices("", {{price("node", 1, eight), price("network", 2, eight), price("network", 3, one)}}) +
      "# mine\n" + network_line + "\n";
  const std::string changed = with_prices(old, {{price("network", 4, eight), price("node", 5, eight)}});
  EXPECT_EQ(changed, first + to_text(price("network", 4, eight)) + "\n" + to_text(price("node", 5, eight)) +
                         "\n" + to_text(price("network", 3, one)) + "\n# mine\n" + network_line + "\n");
  EXPECT_EQ(with_prices(changed, {}), changed);
  EXPECT_THROW((void)with_prices("halocline prices 2\n", {{price("node", 1, one)}}), Error);
  EXPECT_THROW((void)with_prices(old + "x\n", {{price("node", 1, one)}}), Error);
}

TEST(PriceFile, the_nearest_number_of_processes_counts_and_of_equals_the_first) {
  const auto at = [](Count processes, double alpha) {
    return price("network", alpha, {"n*", "*", "tcp", processes});
  };
  const std::vector<Price> prices{at(1, 1), at(4, 2), at(64, 3), at(4, 4), at(64, 5)};
  const auto alpha = [&](Count processes) {
    return price_of(prices, "network", {"n7", "mpich", "tcp", processes})->cost.round_seconds;
  };
  EXPECT_EQ(alpha(1), 1);
  EXPECT_EQ(alpha(2), 1) << "as far from 1 as from 4: the first";
  EXPECT_EQ(alpha(3), 2);
  EXPECT_EQ(alpha(15), 2);
  EXPECT_EQ(alpha(16), 2);
  EXPECT_EQ(alpha(17), 3) << "17/4 is more than 64/17";
  EXPECT_EQ(alpha(1000), 3);
}

TEST(PriceFile, prices_of_other_machines_do_not_count) {
  const std::vector<Price> prices{price("network", 1, {"n*", "openmpi", "infiniband", 8}),
                                  price("network", 2, {"n*", "mpich", "tcp", 8}),
                                  price("node", 3, {"fat*", "*", "*", 8})};
  const auto alpha = [&](const char* level, const Circumstances& here) {
    const Price* const found = price_of(prices, level, here);
    return found == nullptr ? 0 : found->cost.round_seconds;
  };
  EXPECT_EQ(alpha("network", {"n1", "openmpi", "infiniband", 8}), 1);
  EXPECT_EQ(alpha("network", {"n1", "mpich", "tcp", 8}), 2);
  EXPECT_EQ(alpha("network", {"n1", "mpich", "infiniband", 8}), 0);
  EXPECT_EQ(alpha("network", {"m1", "mpich", "tcp", 8}), 0);
  EXPECT_EQ(alpha("network", {"n1", "other", "tcp", 8}), 0);
  EXPECT_EQ(alpha("network", {"", "", "", 8}), 1) << "wherever it is from";
  EXPECT_EQ(alpha("network", {"", "", "tcp", 8}), 2);
  EXPECT_EQ(alpha("numa", {"n1", "mpich", "tcp", 8}), 0);

  const LevelCosts otherwise{{10, 11, 12}, {13, 14, 15}};
  const auto costs = costs_of(prices, {"fat9", "mpich", "tcp", 1}, otherwise);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->on_node.round_seconds, 3);
  EXPECT_EQ(costs->between_nodes.round_seconds, 13);
  EXPECT_EQ(costs->between_nodes.latency_seconds, 15);
  EXPECT_FALSE(costs_of(prices, {"x", "mpich", "tcp", 1}, otherwise));
}

TEST(PriceFile, levels_that_the_machine_has_get_their_prices) {
  const std::vector<Price> prices{
      price("socket", 1, {"n*", "*", "*", 8}), price("switch", 2, {"n*", "*", "*", 8}),
      price("socket", 3, {"n*", "*", "*", 2}), price("core", 4, {"n*", "*", "*", 2})};
  const Circumstances here{"n1", "mpich", "tcp", 8};
  const std::vector<std::string> levels{"switch", "node", "socket", "network", "l3"};
  const LevelCosts otherwise{{10, 11, 12}, {13, 14, 15}};
  const auto costs = costs_of(prices, here, otherwise, levels);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->on_node.round_seconds, 10);
  EXPECT_EQ(costs->between_nodes.round_seconds, 13);
  ASSERT_NE(costs->levels.find("socket"), nullptr);
  EXPECT_EQ(costs->levels.find("socket")->round_seconds, 1) << "of the nearest number of processes";
  ASSERT_NE(costs->levels.find("switch"), nullptr);
  EXPECT_EQ(costs->levels.find("l3"), nullptr);
  EXPECT_EQ(costs->levels.find("core"), nullptr) << "it was not asked for";
  EXPECT_FALSE(costs_of(prices, {"m1", "mpich", "tcp", 8}, otherwise, levels));
  EXPECT_FALSE(costs_of(prices, here, otherwise)) << "nothing is known of nodes and the network";
}

TEST(PriceFile, a_star_stands_for_any_text) {
  for (const char* const pattern : {"*", "n*", "*7", "n*7", "n017", "n*1*7", "**", "n017*", "*n017", "n0*17"})
    EXPECT_TRUE(fits("n017", pattern)) << pattern;
  for (const char* const pattern : {"", "n", "n*8", "m*", "n0177", "N*", "n*17*7", "?017", "n[0-9]*"})
    EXPECT_FALSE(fits("n017", pattern)) << pattern;
  EXPECT_TRUE(fits("", ""));
  EXPECT_TRUE(fits("", "*"));
  EXPECT_FALSE(fits("", "a"));
  EXPECT_TRUE(fits("aab", "*ab"));
  EXPECT_FALSE(fits(std::string(1000, 'a'), "*a*a*a*a*a*a*a*a*b")) << "in no time";
}

TEST(PriceFile, names_of_hosts_become_patterns_by_their_numbers) {
  EXPECT_EQ(pattern_of("n012-3"), "n*-*");
  EXPECT_EQ(pattern_of("login"), "login");
  EXPECT_EQ(pattern_of("r1i2n3.cluster.org"), "r*i*n*.cluster.org");
  EXPECT_EQ(pattern_of("123"), "*");
  EXPECT_EQ(pattern_of(""), "*");
  EXPECT_EQ(pattern_of("a b\n1"), "a*b*");
  for (const char* const name : {"n012-3", "a b", "x", "\x80y"}) {
    EXPECT_TRUE(fits(name, pattern_of(name))) << name;
    EXPECT_NO_THROW((void)to_text(price("node", 1, {pattern_of(name), "m", "n", 1})));
  }
}

}  // namespace
}  // namespace halocline::plan::price_file_tests
