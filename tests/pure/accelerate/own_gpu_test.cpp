// Which GPU a process takes, by what launchers and users say.
#include "accelerate/cuda/own_gpu.hpp"

#include "../expect_error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

namespace halocline::accelerate {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<Count> local_rank_with(const Variables& variables) {
  return local_rank([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(OwnGpu, local_ranks_of_launchers) {
  EXPECT_EQ(local_rank_with({}), std::nullopt);
  EXPECT_EQ(local_rank_with({{"OMPI_COMM_WORLD_LOCAL_RANK", "3"}}), 3);
  EXPECT_EQ(local_rank_with({{"MPI_LOCALRANKID", "0"}}), 0);
  EXPECT_EQ(local_rank_with({{"SLURM_LOCALID", "11"}}), 11);
  EXPECT_EQ(local_rank_with({{"OMPI_COMM_WORLD_RANK", "3"}}), std::nullopt);
}

TEST(OwnGpu, places_of_gpus_are_numbers_that_differ) {
  EXPECT_EQ(number_of_place("0000:00:00.0"), 0);
  EXPECT_EQ(number_of_place("0000:3B:00.0"), number_of_place("00000000:3b:00.0"));
  EXPECT_NE(number_of_place("0000:3B:00.0"), number_of_place("0000:5E:00.0"));
  EXPECT_NE(number_of_place("0000:3B:00.0"), number_of_place("0001:3B:00.0"));
  EXPECT_EQ(number_of_place(""), std::nullopt);
}

TEST(OwnGpu, an_mpi_knows_better_than_the_job_around_it) {
  EXPECT_EQ(local_rank_with({{"SLURM_LOCALID", "0"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "5"}}), 5);
  EXPECT_EQ(local_rank_with({{"SLURM_LOCALID", "0"}, {"MPI_LOCALRANKID", "6"}}), 6);
}

TEST(OwnGpu, nonsense_of_a_launcher_is_passed_over) {
  EXPECT_EQ(local_rank_with({{"OMPI_COMM_WORLD_LOCAL_RANK", "some"}, {"SLURM_LOCALID", "2"}}), 2);
  EXPECT_EQ(local_rank_with({{"SLURM_LOCALID", "-1"}}), std::nullopt);
  EXPECT_EQ(local_rank_with({{"SLURM_LOCALID", ""}}), std::nullopt);
}

TEST(OwnGpu, processes_take_them_in_turn) {
  for (int process = 0; process < 20; ++process) EXPECT_EQ(dealt_gpu(4, process), process % 4);
  EXPECT_EQ(dealt_gpu(1, 7), 0);
  EXPECT_EQ(dealt_gpu(4, std::nullopt), 0);
}

TEST(OwnGpu, is_what_the_user_says) {
  EXPECT_EQ(own_gpu(), std::nullopt);
  setenv("HALOCLINE_GPU", "3", 1);
  EXPECT_EQ(own_gpu(), 3);
  for (const char* const wrong : {"three", "-1", "1,2", "99999999999999999999"}) {
    setenv("HALOCLINE_GPU", wrong, 1);
    expect_error(
        Fault::invalid_argument, [] { (void)own_gpu(); }, "HALOCLINE_GPU", wrong);
  }
  unsetenv("HALOCLINE_GPU");
}

}  // namespace
}  // namespace halocline::accelerate
