#include "halocline/describe/allocation.hpp"

#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>

namespace halocline {
namespace {

constexpr Count most = std::numeric_limits<Count>::max();

Allocation block(const Network& network, const Counts& origin, const Counts& extents) {
  return Allocation::block(network, origin, extents);
}

/// Refused with the fault, in a text that holds every one of `parts`.
template <class Make>
void expect_refusal(Make make, const std::vector<std::string>& parts, Fault fault = Fault::invalid_argument) {
  try {
    const Allocation allocation = make();
    ADD_FAILURE() << "accepted\n" << allocation.to_text();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault) << error.what();
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << " lacks " << part;
  }
}

void expect_text_refusal(const std::string& text, const Network& network,
                         const std::vector<std::string>& parts) {
  SCOPED_TRACE(text);
  expect_refusal([&] { return Allocation::parse(text, network); }, parts);
}

void expect_block_refusal(const Network& network, const Counts& origin, const Counts& extents,
                          const std::vector<std::string>& parts, Fault fault = Fault::invalid_argument) {
  expect_refusal([&] { return block(network, origin, extents); }, parts, fault);
}

TEST(Allocation, keeps_the_order_of_the_lines) {
  const Allocation allocation = Allocation::parse(
      "# x y\n"
      "2 3\n"
      "\n"
      "  0,1   # the first cabinet\n"
      "\t1 , 0\t\r\n"
      "0, 0",
      Network::torus({3, 4}));
  EXPECT_EQ(allocation.nodes(), (Counts{11, 1, 4, 0}));
  EXPECT_EQ(allocation.size(), 4);
  EXPECT_EQ(allocation.coordinates(0), (Counts{2, 3}));
  EXPECT_EQ(allocation.to_text(), "2 3\n0 1\n1 0\n0 0\n");
}

TEST(Allocation, names_the_host_of_a_router_that_has_several) {
  const Network network = Network::torus({3, 4}, {}, 2);
  EXPECT_EQ(Allocation::parse("2 3 1\n2 3 0\n", network).nodes(), (Counts{23, 22}));
  expect_text_refusal("2 3\n", network, {"line 1", "coordinates is 2, but 3", "hosts:2", "looks like 2 3 1"});
  expect_text_refusal("2 3 2\n", network, {"line 1", "coordinate 2 is 2, not in 0..1"});
}

TEST(Allocation, random_ones_survive_their_text) {
  const std::vector<Network> networks{Network::mesh({60}), Network::torus({5, 3, 4}, {}, 2),
                                      Network::parse("fat-tree:3x4x5"), Network::parse("dragonfly:9x4x2")};
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const Network& network = networks[seed % networks.size()];
    Counts nodes(static_cast<std::size_t>(network.nodes()));
    std::iota(nodes.begin(), nodes.end(), Count{0});
    std::shuffle(nodes.begin(), nodes.end(), random);
    nodes.resize(1 + random() % nodes.size());
    const Allocation allocation(network, nodes);
    EXPECT_EQ(allocation.nodes(), nodes);
    EXPECT_EQ(Allocation::parse(allocation.to_text(), network), allocation);
    std::istringstream in(allocation.to_text());
    EXPECT_EQ(Allocation::read(in, network), allocation);
  }
}

TEST(Allocation, costs_nothing_for_the_rest_of_the_network) {
  const Network network = Network::mesh({most});
  const Allocation allocation = Allocation::parse("9223372036854775806\n0\n", network);
  EXPECT_EQ(allocation.nodes(), (Counts{most - 1, 0}));
  EXPECT_EQ(Allocation::parse(allocation.to_text(), network), allocation);
}

TEST(Allocation, the_whole_network_is_in_its_own_order) {
  for (const char* text : {"mesh:1", "torus:3x4 hosts:2", "fat-tree:3x4", "dragonfly:5x2x2"}) {
    const Network network = Network::parse(text);
    const Allocation allocation = Allocation::whole(network);
    EXPECT_EQ(allocation.size(), network.nodes());
    for (Count node = 0; node < network.nodes(); ++node)
      EXPECT_EQ(allocation.coordinates(node), network.coordinates(node));
  }
  expect_refusal([] { return Allocation::whole(Network::mesh({most})); },
                 {"9223372036854775807", "4294967296"});
}

TEST(Allocation, a_block_is_read_row_by_row) {
  EXPECT_EQ(block(Network::mesh({3, 4}), {1, 2}, {2, 2}).to_text(), "1 2\n1 3\n2 2\n2 3\n");
  EXPECT_EQ(block(Network::mesh({3}, {}, 2), {1}, {2}).to_text(), "1 0\n1 1\n2 0\n2 1\n");
  EXPECT_EQ(block(Network::torus({4}), {3}, {4}).to_text(), "3\n0\n1\n2\n");
  EXPECT_EQ(block(Network::torus({most}), {most - 1}, {2}).nodes(), (Counts{most - 1, 0}));
}

TEST(Allocation, every_block_of_a_small_torus_holds_the_routers_it_should) {
  const Network network = Network::torus({3, 4}, {}, 2);
  for (Count x = 0; x < 3; ++x)
    for (Count y = 0; y < 4; ++y)
      for (Count wide = 1; wide <= 3; ++wide)
        for (Count high = 1; high <= 4; ++high) {
          Counts expected;
          for (Count i = 0; i < wide; ++i)
            for (Count j = 0; j < high; ++j)
              for (Count host = 0; host < 2; ++host)
                expected.push_back(network.node(Counts{(x + i) % 3, (y + j) % 4, host}));
          EXPECT_EQ(block(network, {x, y}, {wide, high}).nodes(), expected);
        }
}

TEST(Allocation, refuses_blocks_that_do_not_fit) {
  const Network mesh = Network::mesh({3, 4});
  expect_block_refusal(mesh, {1}, {1, 1}, {"2 dimensions", "1 origins", "2 extents"});
  expect_block_refusal(mesh, {0, 0}, {1}, {"2 origins", "1 extents"});
  expect_block_refusal(mesh, {0, 4}, {1, 1}, {"origin 4", "dimension 1", "0..3"});
  expect_block_refusal(mesh, {-1, 0}, {1, 1}, {"origin -1", "dimension 0", "0..2"});
  expect_block_refusal(mesh, {0, 0}, {1, 0}, {"extent 0", "dimension 1", "1..4"});
  expect_block_refusal(mesh, {1, 0}, {3, 4}, {"extent 3", "from 1", "1..2"});
  expect_block_refusal(mesh, {1, 0}, {most, 4}, {"extent 9223372036854775807", "1..2"});
  expect_block_refusal(Network::torus({3, 4}), {1, 0}, {4, 4}, {"extent 4", "1..3"});
  expect_block_refusal(Network::mesh({most}), {0}, {most}, {"9223372036854775807 nodes is too large"});
  expect_block_refusal(Network::parse("fat-tree:3x4"), {0, 0}, {1, 1}, {"fat-tree:3x4"}, Fault::unsupported);
  expect_block_refusal(Network::parse("dragonfly:1x1x1"), {0}, {1}, {"dragonfly:1x1x1"}, Fault::unsupported);
}

TEST(Allocation, refuses_nodes_that_are_missing_foreign_or_repeated) {
  const Network network = Network::mesh({3, 4});
  expect_refusal([&] { return Allocation(network, {}); }, {"at least one node"});
  expect_refusal([&] { return Allocation(network, {0, 12}); }, {"node 12", "0..11"});
  expect_refusal([&] { return Allocation(network, {-1}); }, {"node -1", "0..11"});
  expect_refusal(
      [&] {
        return Allocation(network, {7, 3, 5, 3, 7, 3});
      },
      {"node 3 twice", "positions 1 and 3"});
}

TEST(Allocation, names_the_line_of_an_error) {
  const Network network = Network::torus({25, 16, 24});
  const std::string head = "# job 1\n0 0 0\n\n1 1 1 # two\n";
  const std::string example = "a node looks like 24 15 23";
  expect_text_refusal(head + "1 2\n", network,
                      {"line 5", "coordinates is 2, but 3", "torus:25x16x24", example});
  expect_text_refusal(head + "1 2 3 4\n", network, {"line 5", "coordinates is 4, but 3"});
  expect_text_refusal(head + "1 16 3\n", network, {"line 5", "coordinate 1 is 16, not in 0..15", example});
  expect_text_refusal(head + "1 2 -1", network, {"line 5", "coordinate 2 is -1, not in 0..23"});
  expect_text_refusal(head + "1 2 x\n", network, {"line 5", "expected an integer but found 'x'"});
  expect_text_refusal(head + "1 2 3x\n", network, {"line 5", "cannot read on from 'x'"});
  expect_text_refusal(head + "1 2 3.5\n", network, {"line 5", "cannot read on from '.5'"});
  expect_text_refusal(head + "1,2,,3\n", network, {"line 5", "expected an integer but found ',3'"});
  expect_text_refusal(head + "1,2,3,\n", network, {"line 5", "expected an integer but found the end"});
  expect_text_refusal(head + ",1,2,3\n", network, {"line 5", "expected an integer"});
  expect_text_refusal(head + "1 2 9223372036854775808\n", network, {"line 5", "64 bits"});
}

TEST(Allocation, names_both_lines_of_a_repeated_node) {
  const Network network = Network::torus({3, 4}, {}, 2);
  expect_text_refusal("2 3 1\n\n0 0 0\n2 3 0\n# again\n2,3,1\n0 0 0\n", network,
                      {"lines 1 and 6", "node 2 3 1"});
}

TEST(Allocation, refuses_texts_without_nodes_and_broken_streams) {
  const Network network = Network::mesh({3});
  for (const char* text : {"", "\n", "# nobody\n  \n"})
    expect_text_refusal(text, network, {"at least one node"});
  std::istringstream broken("0\n");
  broken.setstate(std::ios::failbit);
  expect_refusal([&] { return Allocation::read(broken, network); }, {"stream has failed"});
}

}  // namespace
}  // namespace halocline
