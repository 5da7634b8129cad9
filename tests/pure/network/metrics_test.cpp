#include "network/routing/metrics.hpp"

#include "halocline/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace halocline::network {
namespace {

std::vector<TaskMessage> all_messages(const TaskMessages& messages) {
  std::vector<TaskMessage> list;
  messages.for_each_run([&](const TaskMessages::Run& run) {
    for (Count i = 0; i < run.length; ++i) list.push_back({run.from + i, run.to + i, run.weight});
  });
  return list;
}

TEST(TaskMessages, of_a_stencil_are_its_neighbours) {
  for (const char* extents : {"5", "1", "2x3", "3x1x4", "2x2x2x3"})
    for (const char* flags : {"none", "all"})
      for (const char* pattern : {"nearest", "moore:1", "star:3", "octant:2"}) {
        const Grid grid = Grid::parse(std::string(extents) + " periodic:" + flags);
        const Stencil stencil = Stencil::parse(pattern, grid.dimensions());
        std::multimap<std::pair<Count, Count>, double> expected;
        for (Count from = 0; from < grid.size(); ++from)
          for (std::size_t n = 0; n < stencil.size(); ++n)
            if (const auto to = grid.neighbor(grid.cell(from), stencil.offsets()[n]))
              expected.insert({{from, grid.index(*to)}, 1});
        std::multimap<std::pair<Count, Count>, double> found;
        for (const TaskMessage& message : all_messages(TaskMessages::of_stencil(grid, stencil)))
          found.insert({{message.from, message.to}, message.weight});
        EXPECT_EQ(found, expected) << grid.to_text() << " " << pattern;
      }
}

TEST(TaskMessages, carry_the_weights_of_their_offsets) {
  const auto messages = TaskMessages::of_stencil(Grid({2, 2}), Stencil::parse("1,0*8;0,1*2", 2));
  EXPECT_EQ(all_messages(messages), (std::vector<TaskMessage>{{0, 2, 8}, {1, 3, 8}, {0, 1, 2}, {2, 3, 2}}));
}

TEST(TaskMessages, refuse_nonsense) {
  EXPECT_THROW((void)TaskMessages(0, {}), Error);
  EXPECT_THROW((void)TaskMessages(2, {{0, 2}}), Error);
  EXPECT_THROW((void)TaskMessages(2, {{-1, 1}}), Error);
  EXPECT_THROW((void)TaskMessages(2, {{0, 1, 0}}), Error);
  EXPECT_THROW((void)TaskMessages(2, {{0, 1, std::nan("")}}), Error);
  EXPECT_THROW((void)TaskMessages::of_stencil(Grid({2, 2}), Stencil::nearest(3)), Error);
}

const char* const networks[] = {
    "mesh:11",
    "torus:8",
    "torus:9 bandwidth:1/4",
    "torus:2x1x3 hosts:2",
    "mesh:3x4 hosts:2",
    "mesh:4x3x5 periodic:1,0,1 bandwidth:1/2/3,4,5/6",
    "torus:5x4x3 bandwidth:75,75/37.5,120/75",
    "fat-tree:3x4x2 parents:2x3x1 links:1x2x2 bandwidth:4,2,1",
    "dragonfly:9x4x2 global:2 bandwidth:4,5,10",
    "dragonfly:16x8x4 bandwidth:4,5,10",
    "dragonfly:5x3x2 global:4 bandwidth:1,5,10",
};

TEST(Metrics, are_what_walking_every_route_gives) {
  std::mt19937_64 random(7);
  for (const char* text : networks)
    for (int sample = 0; sample < 8; ++sample) {
      SCOPED_TRACE(testing::Message() << text << ", sample " << sample);
      const Network network = Network::parse(text);
      const Count tasks = 1 + static_cast<Count>(random() % 60);
      std::vector<TaskMessage> list(random() % 200);
      for (TaskMessage& message : list)
        message = {static_cast<Count>(random()) % tasks, 0, 0.5 * static_cast<double>(1 + random() % 8)};
      for (TaskMessage& message : list) {
        message.from = (message.from + tasks) % tasks;
        message.to = static_cast<Count>(random() % static_cast<std::uint64_t>(tasks));
      }
      Counts nodes(static_cast<std::size_t>(tasks));
      for (Count& node : nodes)
        node = static_cast<Count>(random() % static_cast<std::uint64_t>(network.nodes()));

      const Routing routing(network);
      std::vector<double> data(static_cast<std::size_t>(routing.links()), 0);
      Metrics expected;
      expected.messages = static_cast<Count>(list.size());
      for (const auto& [from, to, weight] : list)
        for (const Count link :
             routing.route(nodes[static_cast<std::size_t>(from)], nodes[static_cast<std::size_t>(to)])) {
          data[static_cast<std::size_t>(link)] += weight;
          ++expected.hops;
          expected.weighted_hops += weight;
        }
      if (!list.empty())
        expected.average_hops = static_cast<double>(expected.hops) / static_cast<double>(list.size());
      for (std::size_t link = 0; link < data.size(); ++link) {
        expected.max_data = std::max(expected.max_data, data[link]);
        expected.max_latency =
            std::max(expected.max_latency, data[link] / routing.bandwidth(static_cast<Count>(link)));
      }
      // Weights are multiples of a half, so that all sums are exact.
      const TaskMessages messages(tasks, list);
      EXPECT_EQ(data_per_link(messages, network, nodes), data);
      EXPECT_EQ(measure(messages, network, nodes), expected);
      Metrics hops = expected;
      hops.max_data = hops.max_latency = 0;
      EXPECT_EQ(measure_hops(messages, network, nodes), hops);
    }
}

TEST(Metrics, of_a_stencil_in_place_are_one_hop_each) {
  const Grid grid({4, 5, 6}, periodic(1, 1, 1));
  Counts nodes;
  for (Count node = 0; node < grid.size(); ++node) nodes.push_back(node);
  const Metrics metrics =
      measure(TaskMessages::of_stencil(grid, Stencil::nearest(3)), Network::torus({4, 5, 6}), nodes);
  EXPECT_EQ(metrics.messages, 6 * 120);
  EXPECT_EQ(metrics.average_hops, 1);
  EXPECT_EQ(metrics.max_data, 1);
  EXPECT_EQ(metrics.max_latency, 1);
}

TEST(Metrics, of_huge_networks_count_hops_only) {
  const Network network = Network::mesh({Count{1} << 40, 4});
  const Counts nodes{0, network.nodes() - 1};
  const TaskMessages messages(2, {{0, 1, 3}});
  EXPECT_EQ(measure_hops(messages, network, nodes).hops, (Count{1} << 40) - 1 + 3);
  EXPECT_THROW((void)measure(messages, network, nodes), Error);
}

TEST(Metrics, refuse_nodes_that_do_not_fit) {
  const Network network = Network::mesh({4});
  const TaskMessages messages(2, {{0, 1}});
  EXPECT_THROW((void)measure(messages, network, Counts{0}), Error);
  EXPECT_THROW((void)measure(messages, network, Counts{0, 4}), Error);
  EXPECT_THROW((void)measure_hops(messages, network, Counts{-1, 0}), Error);
}

}  // namespace
}  // namespace halocline::network
