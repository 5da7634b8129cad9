// What Slurm's variables and the folders of shared memory say about nodes, told by hand.
#include "mpi/discovery/slurm_nodes.hpp"

#include "base/slurm_step.hpp"

#include "support/world.hpp"

#include <map>
#include <optional>
#include <string>

namespace halocline::mpi_slurm_nodes_tests {
namespace {

/// The variables of a step, for as long as it lives.
class Step {
 public:
  explicit Step(const std::map<std::string, std::string>& variables) : variables_(variables) {
    for (const char* const name : {"SLURM_STEP_NUM_TASKS", "SLURM_STEP_NUM_NODES", "SLURM_NODEID"})
      unsetenv(name);
    for (const auto& [name, value] : variables_) setenv(name.c_str(), value.c_str(), 1);
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step() {
    for (const auto& [name, value] : variables_) unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::string> variables_;
};

std::optional<int> node_in_step(const char* tasks, const char* nodes, const char* node) {
  const Step step({{"SLURM_STEP_NUM_TASKS", tasks}, {"SLURM_STEP_NUM_NODES", nodes}, {"SLURM_NODEID", node}});
  return shared_node_of_slurm();
}

TEST(SlurmNodes, only_a_step_with_more_processes_than_nodes_has_shared_ones) {
  EXPECT_EQ(node_in_step("8", "4", "3"), 3);
  EXPECT_EQ(node_in_step("4", "4", "3"), std::nullopt);
  for (const char* const nonsense : {"", "x", "-1", "2 ", "99999999999"}) {
    EXPECT_EQ(node_in_step("8", "4", nonsense), std::nullopt) << nonsense;
    EXPECT_EQ(node_in_step(nonsense, "1", "0"), std::nullopt) << nonsense;
    EXPECT_EQ(node_in_step("8", nonsense, "0"), std::nullopt) << nonsense;
  }
  const Step none({});
  EXPECT_EQ(shared_node_of_slurm(), std::nullopt);
}

/// What split_by_slurm must be: the processes with the same node and the same known folder, by rank.
void expect_split(const std::vector<int>& nodes, const std::vector<mpi::SharedFolder>& folders) {
  const auto me = static_cast<std::size_t>(world_rank());
  std::vector<Count> expected;
  for (std::size_t r = 0; r < nodes.size(); ++r)
    if (r == me || (nodes[r] == nodes[me] && folders[r] == folders[me] && folders[me].kernel != 0))
      expected.push_back(static_cast<Count>(r));
  const mpi::Comm found = mpi::split_by_slurm(MPI_COMM_WORLD, nodes[me], folders[me]);
  EXPECT_EQ(everyones(found.get(), world_rank()), expected);
}

TEST(SlurmNodes, who_has_the_same_node_and_the_same_folder_is_together) {
  const auto ranks = static_cast<std::size_t>(world_size());
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 generator(seed);
    const auto draw = [&](int bound) { return std::uniform_int_distribution(0, bound - 1)(generator); };
    std::vector<int> nodes(ranks);
    std::vector<mpi::SharedFolder> folders(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      nodes[r] = draw(3);
      folders[r] = seed % 2 == 0 ? mpi::SharedFolder{9, 1, 1} : mpi::SharedFolder{draw(3), draw(2), draw(2)};
    }
    SCOPED_TRACE(seed);
    expect_split(nodes, folders);
  }
}

/// The ranks of `comm`, of which this process knows those that are in `part`.
std::vector<Count> ranks_in(const mpi::Comm& part) { return everyones(part.get(), world_rank()); }

TEST(SlurmNodes, slurms_word_counts_where_everybody_is_alone_for_mpi) {
  const mpi::Comm shared = mpi::split_shared(MPI_COMM_WORLD);
  const std::string ranks = std::to_string(world_size());
  {
    const Step none({});
    EXPECT_EQ(ranks_in(mpi::split_node(MPI_COMM_WORLD)), ranks_in(shared));
  }
  int company = 0;
  const int mine = mpi::size(shared.get()) > 1 ? 1 : 0;
  PMPI_Allreduce(&mine, &company, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  // By Slurm's word even ranks are on one node and odd ones on another.
  const Step step({{"SLURM_STEP_NUM_TASKS", ranks},
                   {"SLURM_STEP_NUM_NODES", "2"},
                   {"SLURM_NODEID", std::to_string(world_rank() % 2)}});
  std::vector<Count> expected;
  for (Count rank = world_rank() % 2; rank < world_size(); rank += 2) expected.push_back(rank);
  const bool asked = company == 0 && world_size() > 2;
  EXPECT_EQ(ranks_in(mpi::split_node(MPI_COMM_WORLD)), asked ? expected : ranks_in(shared));
  // One who knows nothing of Slurm is enough for MPI's word.
  if (world_rank() == 0) unsetenv("SLURM_NODEID");
  EXPECT_EQ(ranks_in(mpi::split_node(MPI_COMM_WORLD)), ranks_in(shared));
}

TEST(SlurmNodes, processes_of_this_host_see_the_same_folder) {
  const mpi::Comm shared = mpi::split_shared(MPI_COMM_WORLD);
  const mpi::SharedFolder mine = mpi::shared_folder();
  EXPECT_NE(mine.kernel, 0);
  for (const Count each : {mine.kernel, mine.device, mine.inode}) {
    const std::vector<Count> all = everyones(shared.get(), each);
    EXPECT_EQ(all, std::vector<Count>(all.size(), each));
  }
}

}  // namespace
}  // namespace halocline::mpi_slurm_nodes_tests
