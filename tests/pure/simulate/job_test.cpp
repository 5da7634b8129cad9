#include "simulate/job.hpp"

#include "expect_error.hpp"

#include <algorithm>

namespace halocline::simulate {
namespace {

constexpr const char* cluster_text = R"(# two routers
network: torus:2 bandwidth:3 hosts:2   # GB/s
cores: 4
link-latency: 1.5 us
node-bandwidth: 5 GB/s
node-latency: 20 ns
send-overhead: 0 s
receive-overhead: 7 ns
source: one
source: two
)";

Job job() {
  return {Cluster::parse(cluster_text),
          Machine::parse("nodes:4,4,3"),
          Grid({11}, {true}),
          Stencil::parse("moore:1", 1),
          "best",
          {"direct", "torus", "node", "mixed"},
          {1, 4096}};
}

TEST(Cluster, is_what_its_text_says) {
  const Cluster cluster = Cluster::parse(cluster_text);
  EXPECT_EQ(cluster.title, "");
  EXPECT_EQ(cluster.sources, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(cluster.network, Network::parse("torus:2 bandwidth:3 hosts:2"));
  EXPECT_EQ(cluster.cores, 4);
  EXPECT_DOUBLE_EQ(cluster.link_latency_seconds, 1.5e-6);
  EXPECT_DOUBLE_EQ(cluster.node_bandwidth, 5e9);
  EXPECT_DOUBLE_EQ(cluster.node_latency_seconds, 20e-9);
  EXPECT_DOUBLE_EQ(cluster.send_overhead_seconds, 0);
  EXPECT_DOUBLE_EQ(cluster.receive_overhead_seconds, 7e-9);
}

/// A mesh whose shares differ, on the same nodes.
Job mesh_job() {
  Job job{Cluster::parse(cluster_text),
          Machine::parse("nodes:4,4,4"),
          Grid({3, 4}, {true, false}),
          Stencil({{1, 0}, {0, -1}, {-1, 1}, {1, 0}, {0, 0}}, {1, 2, 3, 5, 1}),
          "best",
          {"direct"},
          {8, 24}};
  job.mesh = MeshHalo{Mesh({10, 14}, {true, false}), {2, 3}, 7};
  return job;
}

void expect_words_say_all(const Job& written) {
  const std::vector<std::string> words = job_words(cluster_text, written);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  const Job read = Job::parse(pointers);
  EXPECT_EQ(read.cluster.network, written.cluster.network);
  EXPECT_EQ(read.machine, written.machine);
  EXPECT_EQ(read.grid, written.grid);
  EXPECT_EQ(read.stencil, written.stencil);
  EXPECT_EQ(read.placement, written.placement);
  EXPECT_EQ(read.schedules, written.schedules);
  EXPECT_EQ(read.bytes, written.bytes);
  EXPECT_EQ(read.checked, written.checked);
  EXPECT_EQ(read.mesh, written.mesh);
  EXPECT_EQ(read.shared, written.shared);
  pointers.pop_back();
  expect_error(
      Fault::invalid_argument, [&] { (void)Job::parse(pointers); }, "11 words");
}

TEST(Job, words_say_all_of_it) {
  Job written = job();
  expect_words_say_all(written);
  written.checked = false;
  expect_words_say_all(written);
  written.schedules = {"direct"};
  written.shared = false;
  expect_words_say_all(written);
  expect_words_say_all(mesh_job());
}

TEST(BlockTable, weighs_blocks_without_a_mesh) {
  Job weighted = job();
  weighted.stencil = Stencil({{1}, {-1}, {2}}, {1, 3, 4});
  const BlockTable table(weighted, 100);
  for (Count cell = 0; cell < weighted.grid.size(); ++cell)
    EXPECT_EQ((Counts{table.bytes(cell, 0), table.bytes(cell, 1), table.bytes(cell, 2)}),
              (Counts{100, 300, 400}));
  EXPECT_EQ(table.largest(), (Counts{100, 300, 400}));
}

TEST(BlockTable, has_the_faces_edges_and_corners_of_a_mesh) {
  const Job job = mesh_job();
  const BlockTable table(job, 24);
  constexpr Count point = 7 * 24;
  for (Count cell = 0; cell < job.grid.size(); ++cell) {
    // 10 points over 3 processes, 14 over 4: the first have one more.
    const Count rows = cell / 4 == 0 ? 4 : 3;
    const Count columns = cell % 4 < 2 ? 4 : 3;
    const Counts expected{2 * columns, 2 * rows * 3, 3 * 2 * 3, 5 * 2 * columns, rows * columns};
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(table.bytes(cell, i), expected[i] * point) << cell << " " << i;
  }
  for (std::size_t i = 0; i < job.stencil.size(); ++i) EXPECT_EQ(table.largest()[i], table.bytes(0, i));
}

TEST(BlockTable, holds_what_a_plan_counts) {
  for (const Job& job : {job(), mesh_job()}) {
    const BlockTable table(job, 24);
    Count sent = 0;
    for (Count cell = 0; cell < job.grid.size(); ++cell)
      for (std::size_t i = 0; i < job.stencil.size(); ++i)
        if (job.grid.neighbor(job.grid.cell(cell), job.stencil.offsets()[i])) sent += table.bytes(cell, i);
    const plan::Plan plan = plan::make_plan(job.problem(24));
    EXPECT_EQ(plan.grid, job.grid);
    const plan::LevelTraffic& counted = plan.prediction.total;
    EXPECT_EQ(sent, counted.self.bytes + counted.node.bytes + counted.network.bytes);
  }
}

TEST(Job, parts_must_fit_each_other) {
  const auto refuse = [](Fault fault, const char* why, const auto& change) {
    Job wrong = job();
    change(wrong);
    expect_error(
        fault, [&] { wrong.check(); }, why);
  };
  EXPECT_NO_THROW(job().check());
  refuse(Fault::invalid_argument, "5 nodes on a network of 4",
         [](Job& j) { j.machine = Machine::parse("nodes:5x1"); });
  refuse(Fault::invalid_argument, "5 processes on a node of 4 cores",
         [](Job& j) { j.machine = Machine::parse("nodes:5,3,3"); });
  refuse(Fault::invalid_dimensions, "12", [](Job& j) { j.grid = Grid({12}); });
  refuse(Fault::invalid_argument, "luck", [](Job& j) { j.placement = "luck"; });
  refuse(Fault::invalid_argument, "luck", [](Job& j) { j.schedules.emplace_back("luck"); });
  refuse(Fault::invalid_argument, "0 bytes", [](Job& j) { j.bytes.push_back(0); });
  refuse(Fault::invalid_argument, "a block of 1073741825 bytes; it takes 1 to 1073741824",
         [](Job& j) { j.bytes.push_back((Count{1} << 30) + 1); });
  refuse(Fault::invalid_argument, "64 bits", [](Job& j) {
    j.stencil = Stencil({{1}}, {Count{1} << 40});
    j.bytes = {Count{1} << 30};
  });
}

TEST(Job, gateways_need_shared_memory) {
  Job wrong = job();
  wrong.shared = false;
  for (const char* const name : {"node", "mixed"}) {
    wrong.schedules = {"direct", name};
    expect_error(
        Fault::unsupported, [&] { wrong.check(); }, name);
  }
  wrong.schedules = {"direct", "torus"};
  EXPECT_NO_THROW(wrong.check());
}

TEST(Job, schedules_that_fit_are_at_least_those_of_a_plan) {
  using Names = std::vector<std::string>;
  Job even = job();
  EXPECT_EQ(even.fitting_schedules(), (Names{"direct", "node", "mixed", "torus", "torus-direct", "basis"}));
  even.shared = false;
  EXPECT_EQ(even.fitting_schedules(), (Names{"direct", "torus", "torus-direct", "basis"}));
  EXPECT_EQ(mesh_job().fitting_schedules(), (Names{"direct", "node", "mixed"}));
  for (const Job& one : {job(), mesh_job()}) {
    const Names fitting = one.fitting_schedules();
    for (const plan::RatedSchedule& rated : plan::make_plan(one.problem(8)).schedules)
      EXPECT_EQ(std::count(fitting.begin(), fitting.end(), rated.name), 1) << rated.name;
  }
  Job small = job();
  small.machine = Machine::parse("nodes:4");
  small.grid = Grid({4});
  EXPECT_EQ(small.fitting_schedules(), Names{"direct"});
}

TEST(Cluster, memory_costs_by_the_byte_and_messages_by_the_piece) {
  const Cluster cluster = Cluster::parse(cluster_text);
  const LevelCosts shared = cluster.prices(true, 4), messages = cluster.prices(false, 4);
  EXPECT_DOUBLE_EQ(shared.on_node.round_seconds, 0);
  EXPECT_DOUBLE_EQ(messages.on_node.round_seconds, 7e-9);
  for (const LevelCosts& prices : {shared, messages}) {
    EXPECT_DOUBLE_EQ(prices.on_node.byte_seconds, 1 / 5e9);
    EXPECT_DOUBLE_EQ(prices.on_node.latency_seconds, 20e-9);
    EXPECT_DOUBLE_EQ(prices.between_nodes.round_seconds, 7e-9);
    EXPECT_DOUBLE_EQ(prices.between_nodes.byte_seconds, 1 / 3e9);  // two links for two nodes
    EXPECT_DOUBLE_EQ(prices.between_nodes.latency_seconds, 1.5e-6);
  }
}

TEST(Cluster, messages_are_under_way_as_long_as_nodes_are_far) {
  // Two nodes at one router, and a third at the next.
  const Cluster cluster = Cluster::parse(cluster_text);
  EXPECT_DOUBLE_EQ(cluster.prices(true, 2).between_nodes.latency_seconds, 20e-9);
  EXPECT_DOUBLE_EQ(cluster.prices(true, 3).between_nodes.latency_seconds, 1.5e-6);
}

TEST(Job, a_mesh_must_fit_too) {
  const auto refuse = [](Fault fault, const char* why, const auto& change) {
    Job wrong = mesh_job();
    change(wrong);
    expect_error(
        fault, [&] { wrong.check(); }, why);
  };
  EXPECT_NO_THROW(mesh_job().check());
  refuse(Fault::invalid_argument, "a point of 0 bytes", [](Job& j) { j.bytes.push_back(0); });
  refuse(Fault::invalid_argument, "0 fields", [](Job& j) { j.mesh->fields = 0; });
  refuse(Fault::invalid_dimensions, "less than the halo of 5", [](Job& j) { j.mesh->halo = {2, 5}; });
  refuse(Fault::invalid_argument, "nothing to send", [](Job& j) { j.mesh->halo = {0, 3}; });
  refuse(Fault::invalid_dimensions, "3 widths", [](Job& j) { j.mesh->halo = {1, 1, 1}; });
  refuse(Fault::invalid_argument, "a block of 2147483648 bytes; it takes 1 to 1073741824", [](Job& j) {
    j.stencil = Stencil({{1, 0}}, {Count{1} << 31}), j.bytes = {1}, j.mesh.reset();
  });
  refuse(Fault::unsupported, "torus forwards only blocks of one size",
         [](Job& j) { j.schedules.emplace_back("torus"); });
  Job even = mesh_job();
  even.mesh->mesh = Mesh({12, 16}, {true, false});
  even.schedules = {"direct", "torus", "basis"};
  EXPECT_NO_THROW(even.check());
}

TEST(Job, best_is_the_placement_of_a_plan) {
  // Faces along the second dimension are long: nodes must not cut them, whatever offsets weigh alike.
  Job job = mesh_job();
  job.machine = Machine::parse("nodes:3x4");
  job.stencil = Stencil::nearest(2);
  for (const Counts& extents : {Counts{6, 4000}, Counts{6000, 8}}) {
    job.mesh = MeshHalo{Mesh(extents, {true, false}), {1, 1}, 1};
    const plan::Plan plan = plan::make_plan(job.problem(8));
    const Placement placement = job.placed().placement;
    for (Rank rank = 0; rank < 12; ++rank) EXPECT_EQ(placement.cell(rank), plan.placement.cell(rank)) << rank;
  }
}

TEST(Result, is_read_as_it_is_written) {
  const Result written{"torus-direct", 1048576, 1.0 / 3e6, true};
  const Result read = Result::parse(written.to_line());
  EXPECT_EQ(read.schedule, written.schedule);
  EXPECT_EQ(read.bytes, written.bytes);
  EXPECT_EQ(read.seconds, written.seconds);
  EXPECT_TRUE(read.checked);
  EXPECT_FALSE(Result::parse("result direct 1 2e-6 unchecked").checked);
  expect_error(
      Fault::internal, [] { (void)Result::parse("result direct soon"); }, "soon");
}

}  // namespace
}  // namespace halocline::simulate
