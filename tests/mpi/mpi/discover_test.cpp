// Machines described by HALOCLINE_MACHINE, with ranks placed by slot, by node and at random; and the real
// one.
#include "halocline/mpi/discover.hpp"

#include "expect_error.hpp"
#include "support/world.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <random>

namespace halocline::mpi_discover_tests {
namespace {

/// The ranks of the world in the order of `keys`.
mpi::Comm reordered(const std::vector<int>& keys) {
  return mpi::split(MPI_COMM_WORLD, 0, keys[static_cast<std::size_t>(world_rank())]);
}

std::vector<int> keys_by_slot() {
  std::vector<int> keys(static_cast<std::size_t>(world_size()));
  std::iota(keys.begin(), keys.end(), 0);
  return keys;
}

/// Ranks dealt to the nodes in turn: neighbours in rank are on different nodes.
std::vector<int> keys_by_node(const Machine& machine) {
  std::vector<int> keys;
  for (int core = 0; core < world_size(); ++core) {
    const Count node = machine.node_of(core);
    keys.push_back(static_cast<int>((core - machine.node_sizes().start(node)) * machine.nodes() + node));
  }
  return keys;
}

std::vector<int> keys_at_random(unsigned seed) {
  std::vector<int> keys = keys_by_slot();
  std::shuffle(keys.begin(), keys.end(), std::mt19937(seed));
  return keys;
}

/// Machines with room for exactly the ranks of this world.
std::vector<Machine> machines() {
  std::vector<Machine> all{Machine::of_nodes(Runs::of(world_size(), 1)),
                           Machine::of_nodes(Runs::of(1, world_size()))};
  for (Count nodes = 2; nodes < world_size(); ++nodes)
    if (world_size() % nodes == 0) all.push_back(Machine::of_nodes(Runs::of(nodes, world_size() / nodes)));
  if (world_size() >= 3) all.push_back(Machine::of_nodes(Runs({1, world_size() - 1})));
  if (world_size() >= 4) all.push_back(Machine::of_nodes(Runs({world_size() - 3, 1, 2})));
  if (world_size() == 7) all.push_back(Machine::parse("rack:2 node:2,1 core:3,2,2"));
  if (world_size() == 8) all.push_back(Machine::parse("node:2 package:2 core:2"));
  if (world_size() == 16) all.push_back(Machine::parse("rack:2 node:2 numa:2,1,2,1 core:3,3,2,2,2,4"));
  return all;
}

TEST(Discover, described_machines_for_every_placement_of_ranks) {
  for (const Machine& machine : machines()) {
    const DescribedMachine described(machine.to_text());
    for (const auto& keys : {keys_by_slot(), keys_by_node(machine), keys_at_random(1), keys_at_random(2)}) {
      const mpi::Comm comm = reordered(keys);
      const Discovery found = discover(comm.get());
      EXPECT_EQ(found.machine, machine) << found.machine.to_text() << " instead of " << machine.to_text();
      EXPECT_EQ(found.position, world_rank()) << machine.to_text();
    }
  }
}

TEST(Discover, parts_of_a_world_see_their_part_of_the_machine) {
  for (const Machine& machine : machines()) {
    const DescribedMachine described(machine.to_text());
    for (const int colours : {2, 3}) {
      const int colour = world_rank() % colours;
      const mpi::Comm comm = mpi::split(MPI_COMM_WORLD, colour, -world_rank());
      const Discovery found = discover(comm.get());

      std::map<Count, Count> members_of_node;
      for (int r = colour; r < world_size(); r += colours) ++members_of_node[machine.node_of(r)];
      Counts sizes;
      for (const auto& [node, members] : members_of_node) sizes.push_back(members);
      EXPECT_EQ(found.machine.node_sizes(), Runs(sizes)) << found.machine.to_text();
      EXPECT_EQ(found.position, world_rank() / colours);
    }
  }
}

TEST(Discover, spare_cores_stay_empty) {
  const DescribedMachine described("node:50 core:5");
  const Machine machine = discover(MPI_COMM_WORLD).machine;
  EXPECT_EQ(machine.ranks(), world_size());
  EXPECT_EQ(machine.nodes(), (world_size() + 4) / 5);
}

TEST(Discover, a_node_without_anything_inside_holds_one_rank) {
  const DescribedMachine described("node:16");
  EXPECT_EQ(discover(MPI_COMM_WORLD).machine, Machine::of_nodes(Runs::of(world_size(), 1)));
}

TEST(Discover, the_first_rank_decides_what_is_described) {
  const DescribedMachine described(world_rank() == 0 ? "node:16 core:1" : "node:1 core:99");
  EXPECT_EQ(discover(MPI_COMM_WORLD).machine.nodes(), world_size());
}

TEST(Discover, real_nodes_are_those_that_share_memory) {
  const mpi::Comm shared = mpi::split_shared(MPI_COMM_WORLD);
  Count lowest = world_rank();
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT64_T, MPI_MIN, shared.get());
  std::map<Count, Count> ranks_of_node;
  for (const Count node : everyones(MPI_COMM_WORLD, lowest)) ++ranks_of_node[node];
  Counts sizes;
  for (const auto& [node, ranks] : ranks_of_node) sizes.push_back(ranks);

  const Discovery found = discover(MPI_COMM_WORLD);
  EXPECT_EQ(found.machine.node_sizes(), Runs(sizes));
  // Where the test was launched on several nodes, they must be those.
  if (const char* const nodes = std::getenv("HALOCLINE_TEST_NODES")) {
    EXPECT_EQ(found.machine.node_sizes().to_text(), nodes);
  }

  std::vector<Count> positions = everyones(MPI_COMM_WORLD, found.position);
  const std::vector<Count> nodes = everyones(MPI_COMM_WORLD, found.machine.node_of(found.position));
  const std::vector<Count> lowests = everyones(MPI_COMM_WORLD, lowest);
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t b = 0; b < nodes.size(); ++b) EXPECT_EQ(nodes[a] < nodes[b], lowests[a] < lowests[b]);
  std::sort(positions.begin(), positions.end());
  for (int r = 0; r < world_size(); ++r) EXPECT_EQ(positions[static_cast<std::size_t>(r)], r);
}

/// The GPU of this process, as its user tells it.
class OwnGpu {
 public:
  explicit OwnGpu(const std::string& number) { setenv("HALOCLINE_GPU", number.c_str(), 1); }
  OwnGpu(const OwnGpu&) = delete;
  OwnGpu& operator=(const OwnGpu&) = delete;
  ~OwnGpu() { unsetenv("HALOCLINE_GPU"); }
};

TEST(Discover, processes_that_share_a_gpu_are_a_group) {
  const Count gpu = world_rank() % 3;
  const OwnGpu own(std::to_string(7 * gpu));
  const Discovery found = discover(MPI_COMM_WORLD);
  const auto& levels = found.machine.levels();
  const auto level =
      std::find_if(levels.begin(), levels.end(), [](const auto& l) { return l.name == "gpu"; });
  const std::vector<Count> gpus = everyones(MPI_COMM_WORLD, gpu);
  const std::vector<Count> nodes = everyones(MPI_COMM_WORLD, found.machine.node_of(found.position));
  const Count group =
      level == levels.end()
          ? nodes[static_cast<std::size_t>(world_rank())]
          : found.machine.sizes(static_cast<std::size_t>(level - levels.begin())).find(found.position);
  const std::vector<Count> groups = everyones(MPI_COMM_WORLD, group);
  for (std::size_t a = 0; a < groups.size(); ++a)
    for (std::size_t b = 0; b < groups.size(); ++b)
      EXPECT_EQ(groups[a] == groups[b], nodes[a] == nodes[b] && gpus[a] == gpus[b])
          << found.machine.to_text();
}

TEST(Discover, gpus_of_some_say_nothing_about_anybody) {
  std::optional<OwnGpu> own;
  if (world_rank() > 0) own.emplace(std::to_string(world_rank()));
  const Machine machine = discover(MPI_COMM_WORLD).machine;
  if (machine.nodes() > 1) return;  // those of another node may all have one
  EXPECT_EQ(machine.to_text().find("gpu"), std::string::npos) << machine.to_text();
}

TEST(Discover, refuses_a_gpu_that_is_none_on_all_ranks) {
  const OwnGpu own(world_rank() == world_size() - 1 ? "the big one" : "0");
  expect_error(
      Fault::invalid_argument, [] { (void)discover(MPI_COMM_WORLD); }, "HALOCLINE_GPU", "the big one");
}

TEST(Discover, nothing_is_leaked) {
  const DescribedMachine described("node:8 core:2");
  expect_no_lost_communicators(MPI_COMM_WORLD, [] { (void)discover(MPI_COMM_WORLD); });
}

TEST(Discover, refuses_machines_it_cannot_use_alike_on_all_ranks) {
  const auto expect_refusal = [](const std::string& machine, Fault fault, const std::string& why) {
    const DescribedMachine described(machine);
    expect_error(
        fault, [] { (void)discover(MPI_COMM_WORLD); }, "HALOCLINE_MACHINE=\"" + machine + "\"", why);
  };
  expect_refusal("node:0", Fault::invalid_argument, "size 0 is not positive");
  expect_refusal("nodes:6,-1", Fault::invalid_argument, "size -1");
  expect_refusal("hello", Fault::invalid_argument, "looks like");
  expect_refusal("node:99999999999999999999 core:2", Fault::invalid_argument, "does not fit in 64 bits");
  expect_refusal("node:9223372036854775807 core:2", Fault::invalid_argument, "does not fit in 64 bits");
  expect_refusal("node:0x10", Fault::invalid_argument, "0");
  if (world_size() > 1) expect_refusal("node:1 core:1", Fault::invalid_topology, "1 cores for");
}

/// This program once more, with this test alone, as one process with a world of its own; and all together.
mpi::Comm with_another_world(const char* test) {
  mpi::Comm between, both;
  MPI_Comm_get_parent(between.put());
  const bool started_first = !between;
  if (started_first) {
    std::string program(4096, '\0'), filter = std::string("--gtest_filter=") + test;
    EXPECT_GT(readlink("/proc/self/exe", program.data(), program.size() - 1), 0);
    std::array<char*, 2> arguments{filter.data(), nullptr};
    MPI_Comm_spawn(program.c_str(), arguments.data(), 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, between.put(),
                   MPI_ERRCODES_IGNORE);
  }
  MPI_Intercomm_merge(between.get(), started_first ? 0 : 1, both.put());
  if (!started_first) (void)between.release();  // what MPI_Comm_get_parent gives is not ours
  return both;
}

TEST(Discover, refuses_processes_of_several_worlds_alike) {
#ifdef MPICH
  GTEST_SKIP() << "MPICH over UCX starts no further processes";
#endif
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL && world_size() != 2) GTEST_SKIP();
  const mpi::Comm both = with_another_world("Discover.refuses_processes_of_several_worlds_alike");
  const DescribedMachine described("node:1 core:1");  // enough for the world of one
  expect_error(
      Fault::invalid_topology, [&] { (void)discover(both.get()); }, "1 cores for 2 processes");
}

}  // namespace
}  // namespace halocline::mpi_discover_tests
