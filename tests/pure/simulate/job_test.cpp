#include "simulate/job.hpp"

#include "expect_error.hpp"

namespace halocline::simulate {
namespace {

constexpr const char* text = R"(# two routers
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
  return {Cluster::parse(text),
          Machine::parse("nodes:4,4,3"),
          Grid({11}, {true}),
          Stencil::parse("moore:1", 1),
          "best",
          {"direct", "torus"},
          {1, 4096}};
}

TEST(Cluster, is_what_its_text_says) {
  const Cluster cluster = Cluster::parse(text);
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

TEST(Job, words_say_all_of_it) {
  Job written = job();
  written.checked = false;
  const std::vector<std::string> words = job_words(text, written);
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
  EXPECT_FALSE(read.checked);
  pointers.pop_back();
  expect_error(
      Fault::invalid_argument, [&] { (void)Job::parse(pointers); }, "7 words");
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
