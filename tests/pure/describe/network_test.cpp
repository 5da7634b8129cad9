#include "halocline/describe/network.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace halocline {
namespace {

using Cartesian = Network::Cartesian;
using FatTree = Network::FatTree;
using Dragonfly = Network::Dragonfly;

constexpr Count most_nodes = std::numeric_limits<Count>::max();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void expect_round_trip(const Network& network) {
  SCOPED_TRACE(network.to_text());
  EXPECT_EQ(Network::parse(network.to_text()), network);
  EXPECT_EQ(Network::parse(network.to_text()).to_text(), network.to_text());
}

/// Refused with the fault, in a text that holds every one of `parts`.
template <class Make>
void expect_error(Make make, Fault fault, const std::vector<std::string>& parts) {
  try {
    const Network network = make();
    ADD_FAILURE() << "accepted " << network.to_text();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault) << error.what();
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << " lacks " << part;
  }
}

void expect_refusal(const Network::Topology& topology, Fault fault, const std::vector<std::string>& parts) {
  expect_error([&] { return Network(topology); }, fault, parts);
}

void expect_text_refusal(const std::string& text, const std::vector<std::string>& parts,
                         Fault fault = Fault::invalid_argument) {
  SCOPED_TRACE(text);
  expect_error([&] { return Network::parse(text); }, fault, parts);
}

class RandomNetworks {
 public:
  explicit RandomNetworks(unsigned seed) : random_(seed) {}

  Network next() {
    switch (below(3)) {
      case 0: {
        Cartesian network{.extents = counts(1 + below(5))};
        for (const Count extent : network.extents) {
          network.periodicity.push_back(below(2) == 1);
          network.bandwidths.push_back(numbers(1 + below(static_cast<std::size_t>(extent))));
        }
        network.hosts = count();
        return Network(network);
      }
      case 1: {
        FatTree network;
        for (std::size_t tiers = 1 + below(5); tiers > 0; --tiers)
          network.tiers.push_back({count(), count(), count(), number()});
        return Network(network);
      }
      default: {
        Dragonfly network{count(), count(), count()};
        if (network.groups > 1 && below(2) == 1) network.global_links = network.groups + count();
        network.global_bandwidth = number();
        network.local_bandwidth = number();
        network.terminal_bandwidth = number();
        return Network(network);
      }
    }
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  Count count() { return 1 + static_cast<Count>(below(below(4) == 0 ? 30 : 3)); }

  /// Any positive finite bit pattern, or a round number.
  double number() {
    if (below(2) == 0) return static_cast<double>(1 + below(400)) / 4;
    double value = 0;
    do value = std::bit_cast<double>(random_() >> 1);
    while (!std::isfinite(value) || value == 0);
    return value;
  }

  Counts counts(std::size_t size) {
    Counts values(size);
    for (Count& value : values) value = count();
    return values;
  }

  std::vector<double> numbers(std::size_t size) {
    std::vector<double> values(size);
    for (double& value : values) value = number();
    return values;
  }

  std::mt19937_64 random_;
};

TEST(Network, link_classes_repeat_along_a_dimension) {
  const Network titan =
      Network::parse("torus:25x16x24 bandwidth:75,75/37.5,120/120/120/120/120/120/120/75 hosts:2");
  const auto& routers = std::get<Cartesian>(titan.topology());
  EXPECT_EQ(routers.extents, (Counts{25, 16, 24}));
  EXPECT_EQ(routers.periodicity, periodic(1, 1, 1));
  EXPECT_EQ(routers.hosts, 2);
  EXPECT_EQ(titan.nodes(), 25 * 16 * 24 * 2);
  EXPECT_EQ(titan.extents(), (Counts{25, 16, 24, 2}));
  for (const Count link : {0, 7, 24}) EXPECT_EQ(routers.bandwidth(0, link), 75);
  for (const Count link : {0, 2, 14}) EXPECT_EQ(routers.bandwidth(1, link), 75);
  for (const Count link : {1, 3, 15}) EXPECT_EQ(routers.bandwidth(1, link), 37.5);
  for (const Count link : {0, 6, 8, 22}) EXPECT_EQ(routers.bandwidth(2, link), 120);
  for (const Count link : {7, 15, 23}) EXPECT_EQ(routers.bandwidth(2, link), 75);
  expect_round_trip(titan);
}

TEST(Network, a_fat_tree_lists_its_tiers_from_the_top) {
  const Network cluster = Network::parse("fat-tree:5x24 parents:12x1 bandwidth:25,12.5");
  EXPECT_EQ(cluster, Network(FatTree{{{5, 12, 1, 25}, {24, 1, 1, 12.5}}}));
  EXPECT_EQ(cluster.nodes(), 120);
  EXPECT_EQ(cluster.coordinates(25), (Counts{1, 1}));
  EXPECT_EQ(Network::parse("fat-tree:5x24 links:2x3"), Network(FatTree{{{5, 1, 2}, {24, 1, 3}}}));
}

TEST(Network, a_dragonfly_has_as_many_global_links_as_it_takes) {
  const auto global_links = [](const std::string& text) {
    return std::get<Dragonfly>(Network::parse(text).topology()).global_links;
  };
  EXPECT_EQ(global_links("dragonfly:9x4x2"), 2);
  EXPECT_EQ(global_links("dragonfly:10x4x2"), 3);
  EXPECT_EQ(global_links("dragonfly:1x4x2"), 0);
  EXPECT_EQ(global_links("dragonfly:9x4x2 global:5"), 5);
  EXPECT_EQ(Network::parse("dragonfly:9x4x2 bandwidth:4,5,10"), Network(Dragonfly{9, 4, 2, 2, 4, 5, 10}));
}

TEST(Network, prints_only_what_is_not_the_default) {
  for (const std::string text : {
           "mesh:64x64x64",
           "torus:1",
           "mesh:4x2 periodic:1,0",
           "mesh:4x2 periodic:0,1 bandwidth:1,2 hosts:3",
           "torus:25x16x24 bandwidth:75,75/37.5,120/75 hosts:2",
           "torus:3x3 bandwidth:0.1,1e+300/5e-324",
           "fat-tree:7",
           "fat-tree:5x24 parents:12x1 links:1x2 bandwidth:25,12.5",
           "dragonfly:9x4x2",
           "dragonfly:9x4x2 global:3 bandwidth:4,5,10",
       })
    EXPECT_EQ(Network::parse(text).to_text(), text);
  EXPECT_EQ(Network::parse("mesh:2x3 periodic:all").to_text(), "torus:2x3");
  EXPECT_EQ(Network::parse("mesh:2x3 periodic:none hosts:1 bandwidth:1,1").to_text(), "mesh:2x3");
  EXPECT_EQ(Network::parse("fat-tree:2x3 parents:1x1 links:1x1 bandwidth:1,1").to_text(), "fat-tree:2x3");
  EXPECT_EQ(Network::parse("dragonfly:9x4x2 global:2 bandwidth:1,1,1").to_text(), "dragonfly:9x4x2");
  EXPECT_EQ(Network::parse("  torus:2x3 \t hosts:2 ").to_text(), "torus:2x3 hosts:2");
}

TEST(Network, every_small_one_survives_its_text) {
  for (Count a = 1; a <= 4; ++a)
    for (Count b = 1; b <= 4; ++b)
      for (Count c = 1; c <= 3; ++c) {
        for (const double bandwidth : {1.0, 0.1})
          for (const Periodicity& flags : {periodic(0, 0), periodic(0, 1), periodic(1, 0), periodic(1, 1)})
            expect_round_trip(Network(Cartesian{{a, b}, flags, {{bandwidth}, {1, bandwidth}}, c}));
        for (Count d = 1; d <= 3; ++d) expect_round_trip(Network(FatTree{{{a, c}, {b, d, c}}}));
        for (Count links = 0; links <= (a > 1 ? 3 : 0); ++links)
          if (links == 0 || b * links >= a - 1) expect_round_trip(Network(Dragonfly{a, b, c, links}));
      }
}

TEST(Network, random_ones_survive_their_text) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    expect_round_trip(RandomNetworks(seed).next());
  }
}

TEST(Network, different_ones_compare_different) {
  std::vector<Network> networks;
  for (const char* text :
       {"mesh:4x6", "torus:4x6", "mesh:4x6 periodic:0,1", "mesh:6x4", "torus:4x6 hosts:2", "torus:4x6x2",
        "torus:4x6 bandwidth:1,2", "torus:4x6 bandwidth:1,2/1", "fat-tree:4x6", "fat-tree:4x6 parents:2x1",
        "fat-tree:4x6 links:2x1", "fat-tree:4x6 bandwidth:2,1", "dragonfly:4x6x1", "dragonfly:4x6x1 global:2",
        "dragonfly:4x6x1 bandwidth:1,2,1"})
    networks.push_back(Network::parse(text));
  for (std::size_t i = 0; i < networks.size(); ++i)
    for (std::size_t j = 0; j < networks.size(); ++j) EXPECT_EQ(networks[i] == networks[j], i == j);
}

TEST(Network, nodes_and_coordinates_are_inverse_and_row_major) {
  for (const char* text : {"mesh:1", "mesh:7", "torus:3x4x5", "torus:3x4x5 hosts:3",
                           "fat-tree:3x2x4 parents:2x2x1", "dragonfly:5x3x2"}) {
    SCOPED_TRACE(text);
    const Network network = Network::parse(text);
    Counts last;
    for (Count node = 0; node < network.nodes(); ++node) {
      const Counts coordinates = network.coordinates(node);
      ASSERT_EQ(coordinates.size(), network.extents().size());
      for (std::size_t d = 0; d < coordinates.size(); ++d) {
        EXPECT_GE(coordinates[d], 0);
        EXPECT_LT(coordinates[d], network.extents()[d]);
      }
      EXPECT_LT(last, coordinates);
      EXPECT_EQ(network.node(coordinates), node);
      last = coordinates;
    }
  }
}

TEST(Network, counts_in_64_bits_and_no_further) {
  EXPECT_EQ(Network::mesh({most_nodes}).nodes(), most_nodes);
  EXPECT_EQ(Network::torus({Count{1} << 31, Count{1} << 31}).nodes(), Count{1} << 62);
  const Fault fault = Fault::invalid_dimensions;
  expect_refusal(Cartesian{.extents = {Count{1} << 32, Count{1} << 31}}, fault, {"4294967296 * 2147483648"});
  expect_refusal(Cartesian{.extents = {most_nodes}, .hosts = 2}, fault, {"9223372036854775807 * 2"});
  expect_refusal(FatTree{{{most_nodes}, {2}}}, fault, {"64 bits"});
  expect_refusal(FatTree{{{2, most_nodes}}}, fault, {"too many links", "64 bits"});
  expect_refusal(FatTree{{{2, 1, most_nodes}}}, fault, {"too many links", "64 bits"});
  expect_refusal(FatTree{{{2}, {2, most_nodes / 2}}}, fault, {"too many links", "64 bits"});
  expect_refusal(Dragonfly{2, 2, most_nodes}, fault, {"64 bits"});
  expect_refusal(Dragonfly{2, 2, 1, most_nodes}, fault, {"too many links between groups", "64 bits"});
  expect_refusal(Dragonfly{1, Count{1} << 32, 1}, fault, {"too many links within groups", "64 bits"});
  expect_text_refusal("mesh:9223372036854775808", {"64 bits"});
}

TEST(Network, refuses_counts_below_one) {
  const Fault fault = Fault::invalid_dimensions;
  expect_refusal(Cartesian{.extents = {}}, fault, {"at least one dimension"});
  expect_refusal(Cartesian{.extents = {}, .hosts = 2}, fault, {"at least one dimension"});
  expect_refusal(Cartesian{.extents = {4, 0}}, fault, {"extent 0"});
  expect_refusal(Cartesian{.extents = {-4}}, fault, {"extent -4"});
  for (const Count bad : {Count{0}, Count{-1}, -most_nodes - 1}) {
    expect_refusal(Cartesian{.extents = {4}, .hosts = bad}, fault, {"hosts is " + std::to_string(bad)});
    expect_refusal(FatTree{{{bad}}}, fault, {"children is"});
    expect_refusal(FatTree{{{2}, {2, bad}}}, fault, {"parents is"});
    expect_refusal(FatTree{{{2, 1, bad}}}, fault, {"parallel links is"});
    expect_refusal(Dragonfly{bad, 4, 2}, fault, {"groups is"});
    expect_refusal(Dragonfly{9, bad, 2}, fault, {"routers is"});
    expect_refusal(Dragonfly{9, 4, bad}, fault, {"hosts is"});
  }
  expect_refusal(FatTree{}, fault, {"at least one tier"});
  expect_text_refusal("torus:4x0", {"extent 0"}, fault);
  expect_text_refusal("torus:4x4 hosts:0", {"hosts is 0"}, fault);
}

TEST(Network, refuses_a_dragonfly_in_pieces) {
  const Fault fault = Fault::invalid_argument;
  expect_refusal(Dragonfly{9, 4, 2, 1}, fault, {"1 global links", "8 others", "takes 2"});
  expect_refusal(Dragonfly{9, 4, 2, -1}, fault, {"-1 global links"});
  expect_refusal(Dragonfly{1, 4, 2, 1}, fault, {"one group"});
}

TEST(Network, refuses_bad_bandwidths) {
  const Fault fault = Fault::invalid_argument;
  for (const double bad : {0.0, -0.0, -75.0, infinite, -infinite, not_a_number}) {
    const std::vector<std::string> parts{"bandwidth", "positive finite"};
    expect_refusal(Cartesian{.extents = {4, 4}, .bandwidths = {{1}, {1, bad}}}, fault, parts);
    expect_refusal(FatTree{{{2}, {2, 1, 1, bad}}}, fault, parts);
    expect_refusal(Dragonfly{9, 4, 2, 0, bad}, fault, parts);
    expect_refusal(Dragonfly{9, 4, 2, 0, 1, bad}, fault, parts);
    expect_refusal(Dragonfly{9, 4, 2, 0, 1, 1, bad}, fault, parts);
  }
  expect_refusal(Cartesian{.extents = {4, 4}, .bandwidths = {{1}, {}}}, fault,
                 {"dimension 1", "empty pattern"});
  expect_refusal(Cartesian{.extents = {4, 4}, .bandwidths = {{1}}}, fault, {"2 dimensions", "1 bandwidths"});
  expect_refusal(Cartesian{.extents = {4}, .periodicity = periodic(1, 0)}, fault,
                 {"1 dimensions", "2 flags"});
  expect_text_refusal("torus:4x4 bandwidth:1,-2", {"bandwidth -2"});
  expect_text_refusal("torus:4x4 bandwidth:1,0", {"bandwidth 0"});
  expect_text_refusal("torus:4x4 bandwidth:1,2,3", {"2 dimensions", "3 bandwidths"});
  expect_text_refusal("fat-tree:4x4 bandwidth:1", {"1 values for 2 tiers"});
  expect_text_refusal("dragonfly:9x4x2 bandwidth:1,2", {"2 bandwidths", "global, local, terminal"});
  for (const char* number : {"inf", "nan", "", "/2", "1/", "fast"})
    expect_text_refusal(concat("torus:4 bandwidth:", number), {"expected a number"});
  expect_text_refusal("torus:4 bandwidth:1e999", {"'1e999' does not fit in 64 bits"});
}

TEST(Network, refuses_texts_that_say_something_else) {
  expect_text_refusal("", {"expected a name"});
  expect_text_refusal("ring:4", {"unknown kind 'ring'", "torus:", "mesh:", "fat-tree:", "dragonfly:"});
  expect_text_refusal("torus", {"expected ':'"});
  expect_text_refusal("torus:", {"expected an integer"});
  expect_text_refusal("torus:4x", {"expected an integer"});
  expect_text_refusal("torus:4,4", {"cannot read on from ',4'"});
  expect_text_refusal("torus:4x4 4", {"expected a name"});
  expect_text_refusal("torus:4x4 hosts", {"expected ':'"});
  expect_text_refusal("torus:4x4 hosts:2x2", {"cannot read on from 'x2'"});
  expect_text_refusal("torus:4x4 hosts:2 hosts:2", {"two words 'hosts'"});
  expect_text_refusal("torus:4x4 parents:2x2", {"a torus has no word 'parents'"});
  expect_text_refusal("torus:4x4 periodic:1,0", {"a torus has no word 'periodic'"});
  expect_text_refusal("mesh:4x4 periodic:1", {"1 flags for 2 dimensions"});
  expect_text_refusal("fat-tree:4x4 hosts:2", {"a fat-tree has no word 'hosts'"});
  expect_text_refusal("fat-tree:4x4 parents:2", {"1 values for 2 tiers"});
  expect_text_refusal("fat-tree:4x4 links:2x2x2", {"3 values for 2 tiers"});
  expect_text_refusal("dragonfly:9x4", {"2 extents", "groups, routers in a group, hosts"});
  expect_text_refusal("dragonfly:9x4x2 global:0", {"0 global links"});
  expect_text_refusal("dragonfly:9x4x2 local:1", {"a dragonfly has no word 'local'"});
}

}  // namespace
}  // namespace halocline
