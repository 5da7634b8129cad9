#include "network/points/machine_points.hpp"

#include "expect_error.hpp"
#include "geometric_mapping/sparse_allocation.hpp"
#include "network/partition/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace halocline::network {
namespace {

using Column = std::vector<double>;

Allocation line(const char* network, Counts nodes) { return {Network::parse(network), std::move(nodes)}; }

TEST(MachinePoints, of_a_mesh_are_its_coordinates) {
  const Points points = node_points(Allocation::whole(Network::parse("mesh:2x3 hosts:2")));
  EXPECT_EQ(points.dimensions(), 2U);
  EXPECT_EQ(points.column(0), (Column{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(points.column(1), (Column{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
}

TEST(MachinePoints, of_a_torus_have_the_border_in_the_widest_gap) {
  const Counts nodes{0, 1, 6, 7};
  EXPECT_EQ(node_points(line("torus:8", nodes)).column(0), (Column{8, 9, 6, 7}));
  EXPECT_EQ(node_points(line("torus:8", nodes), {.shift = false}).column(0), (Column{0, 1, 6, 7}));
  EXPECT_EQ(node_points(line("mesh:8", nodes)).column(0), (Column{0, 1, 6, 7}));
  EXPECT_EQ(node_points(line("torus:8", {2, 3, 4})).column(0), (Column{2, 3, 4}));
  EXPECT_EQ(node_points(Allocation::whole(Network::parse("torus:4"))).column(0), (Column{0, 1, 2, 3}));
}

TEST(MachinePoints, by_bandwidth_are_far_apart_where_links_are_slow) {
  const MachineView view{.by_bandwidth = true};
  EXPECT_EQ(node_points(line("mesh:6 bandwidth:1/0.5", {0, 1, 2, 3, 4, 5}), view).column(0),
            (Column{0, 1, 3, 4, 6, 7}));
  // Around the border: 8 is the length of the whole ring of 1 + 4 + 1 + 1 + 1.
  EXPECT_EQ(node_points(line("torus:5 bandwidth:1/0.25/1/1/1", {0, 3, 4}), view).column(0),
            (Column{8, 6, 7}));
}

TEST(MachinePoints, in_boxes_are_cut_between_boxes_first) {
  const Allocation whole = Allocation::whole(Network::parse("torus:25x16x24 bandwidth:75,75/37.5,120/75"));
  const Points points = node_points(whole, {.by_bandwidth = true, .boxes = {2, 2, 8}});
  ASSERT_EQ(points.dimensions(), 6U);
  // A step between boxes is longer than any way within one.
  double widest = 0;
  for (std::size_t d = 3; d < 6; ++d)
    widest = std::max(widest, *std::max_element(points.column(d).begin(), points.column(d).end()));
  for (std::size_t d = 0; d < 3; ++d) {
    const std::set<double> boxes(points.column(d).begin(), points.column(d).end());
    EXPECT_EQ(boxes.size(), (std::array<std::size_t, 3>{13, 8, 3})[d]);
    for (auto box = std::next(boxes.begin()); box != boxes.end(); ++box)
      EXPECT_GT(*box - *std::prev(box), widest);
  }
}

TEST(MachinePoints, leave_out_ignored_dimensions) {
  const Allocation whole = Allocation::whole(Network::torus({4, 4, 4, 4, 2}));
  const Points points = node_points(whole, {.ignored = {4}});
  EXPECT_EQ(points.dimensions(), 4U);
  // Neighbours along E stay together until there is nothing else to cut.
  const Counts parts = partition(points, 256, ordering("fz"));
  for (std::size_t node = 0; node < 512; node += 2) EXPECT_EQ(parts[node], parts[node + 1]);
}

TEST(MachinePoints, of_a_hierarchy_are_cut_from_the_outside_in) {
  for (const char* text : {"fat-tree:4x4x2", "dragonfly:4x4x2"}) {
    const Allocation whole = Allocation::whole(Network::parse(text));
    for (const char* name : {"z", "fz"}) {
      const Counts four = partition(node_points(whole), 4, ordering(name));
      for (std::size_t node = 0; node < 32; ++node) EXPECT_EQ(four[node], four[node / 8 * 8]) << text;
      const Counts sixteen = partition(node_points(whole), 16, ordering(name));
      for (std::size_t node = 0; node < 32; ++node) EXPECT_EQ(sixteen[node], sixteen[node / 2 * 2]) << text;
    }
  }
}

TEST(MachinePoints, of_cores_are_those_of_their_nodes) {
  const Allocation allocation = line("mesh:8", {5, 2, 7});
  EXPECT_EQ(node_of_core(allocation, {2}), (Counts{5, 5, 2, 2, 7, 7}));
  EXPECT_EQ(node_of_core(allocation, {1, 0, 3}), (Counts{5, 7, 7, 7}));
  EXPECT_EQ(core_points(allocation, {1, 0, 3}).column(0), (Column{5, 7, 7, 7}));
}

TEST(MachinePoints, refuse_views_that_do_not_fit) {
  const Allocation torus = Allocation::whole(Network::torus({4, 4}));
  const Allocation tree = Allocation::whole(Network::parse("fat-tree:4x4"));
  EXPECT_THROW((void)node_points(torus, {.boxes = {2}}), Error);
  EXPECT_THROW((void)node_points(torus, {.boxes = {2, 0}}), Error);
  EXPECT_THROW((void)node_points(torus, {.ignored = {2}}), Error);
  EXPECT_THROW((void)node_points(torus, {.ignored = {0, 1}}), Error);
  EXPECT_THROW((void)node_points(tree, {.boxes = {2, 2}}), Error);
  EXPECT_THROW((void)node_points(tree, {.ignored = {0}}), Error);
  EXPECT_THROW((void)node_of_core(torus, {}), Error);
  EXPECT_THROW((void)node_of_core(torus, {1, 2}), Error);
  EXPECT_THROW((void)node_of_core(torus, {0}), Error);
  EXPECT_THROW((void)core_points(torus, {-1}), Error);
  for (const Count cores : {Count{1} << 28, Count{1} << 60, std::numeric_limits<Count>::max()})
    expect_error(
        Fault::invalid_argument, [&] { (void)node_of_core(torus, {cores}); }, std::to_string(cores));
}

TEST(SparseAllocation, has_as_many_nodes_as_asked_for_and_gaps) {
  const Network titan = Network::parse("torus:25x16x24 hosts:2");
  for (const Count nodes : {1, 512, 8192, 19'200}) {
    const Allocation allocation = sparse_allocation(titan, nodes, 5);
    EXPECT_EQ(allocation.size(), nodes);
    EXPECT_EQ(allocation, sparse_allocation(titan, nodes, 5));
  }
  EXPECT_NE(sparse_allocation(titan, 512, 5), sparse_allocation(titan, 512, 6));
  // A contiguous piece of the curve would have hardly a jump in it.
  const Allocation allocation = sparse_allocation(titan, 2048, 5);
  int jumps = 0;
  for (Count i = 1; i < allocation.size(); ++i) {
    const Counts a = allocation.coordinates(i - 1);
    const Counts b = allocation.coordinates(i);
    Count apart = 0;
    for (std::size_t d = 0; d < 3; ++d) apart += std::abs(a[d] - b[d]);
    jumps += apart > 4;
  }
  EXPECT_GE(jumps, 3);
  EXPECT_LT(jumps, 200) << "but most neighbours are near";
}

TEST(SparseAllocation, fills_one_box_after_the_other) {
  const Network titan = Network::parse("torus:25x16x24 hosts:2");
  for (const Counts& box : {Counts{5, 2, 4}, Counts{3, 2, 4}, Counts{30, 1, 24}}) {
    const Allocation allocation = sparse_allocation(titan, titan.nodes(), 5, box);
    std::set<Counts> seen;
    Counts last;
    for (Count i = 0; i < allocation.size(); ++i) {
      Counts at = allocation.coordinates(i);
      at.pop_back();  // hosts of a router are side by side
      for (std::size_t d = 0; d < 3; ++d) at[d] /= box[d];
      if (at == last) continue;
      EXPECT_TRUE(seen.insert(at).second) << "back to a box at node " << i;
      last = at;
    }
    EXPECT_EQ(static_cast<Count>(seen.size()),
              ((25 + box[0] - 1) / box[0]) * ((16 + box[1] - 1) / box[1]) * ((24 + box[2] - 1) / box[2]));
  }
  EXPECT_THROW((void)sparse_allocation(titan, 4, 1, {2, 2}), Error);
  EXPECT_THROW((void)sparse_allocation(titan, 4, 1, {2, 0, 2}), Error);
  EXPECT_THROW((void)sparse_allocation(Network::parse("fat-tree:5x24"), 4, 1, {2, 2}), Error);
}

TEST(SparseAllocation, works_on_every_kind_of_network_and_refuses_what_does_not_fit) {
  for (const char* text : {"mesh:7", "fat-tree:5x24 parents:12x1", "dragonfly:9x4x2", "mesh:1"}) {
    const Network network = Network::parse(text);
    EXPECT_EQ(sparse_allocation(network, network.nodes(), 1).size(), network.nodes());
    EXPECT_THROW((void)sparse_allocation(network, 0, 1), Error);
    EXPECT_THROW((void)sparse_allocation(network, network.nodes() + 1, 1), Error);
  }
  EXPECT_THROW((void)sparse_allocation(Network::mesh({Count{1} << 27}), 4, 1), Error);
}

}  // namespace
}  // namespace halocline::network
