// What the script for launchers does, run by the shell with a taskset that only tells.
#include "place/launch_wrapper.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace halocline::place {
namespace {

namespace fs = std::filesystem;

class Wrapper : public testing::Test {
 protected:
  Wrapper() : folder_(fs::temp_directory_path() / ("launch_wrapper_test." + std::to_string(getpid()))) {
    fs::create_directory(folder_);
    write(
        "taskset",
        "#!/bin/sh\necho \"$@\" gpu=$CUDA_VISIBLE_DEVICES,$ROCR_VISIBLE_DEVICES order=$CUDA_DEVICE_ORDER\n");
    fs::permissions(folder_ / "taskset", fs::perms::all);
    std::ofstream file(folder_ / "seats.sh");
    write_launch_wrapper(std::vector<WrappedSeat>{{{0, 12}, "0-3", "CUDA_VISIBLE_DEVICES", 2},
                                                  {{1}, "4,20", "", 0},
                                                  {{2, 120}, "5", "ROCR_VISIBLE_DEVICES", 0}},
                         file);
  }
  ~Wrapper() override { fs::remove_all(folder_); }

  void write(const char* name, const char* text) { std::ofstream(folder_ / name) << text; }

  /// What it prints, and its status.
  std::string started(const std::string& variables) const {
    const std::string line =
        "cd " + folder_.string() +
        " && unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK SLURM_PROCID && PATH=.:$PATH " + variables +
        " sh ./seats.sh program 'two words' 2>&1; echo status $?";
    FILE* const pipe = popen(line.c_str(), "r");
    std::string told;
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) told += static_cast<char>(c);
    pclose(pipe);
    return told;
  }

 private:
  fs::path folder_;
};

TEST_F(Wrapper, each_rank_has_its_cores_and_its_gpu) {
  EXPECT_EQ(started("OMPI_COMM_WORLD_RANK=12"),
            "--cpu-list 0-3 program two words gpu=2, order=PCI_BUS_ID\nstatus 0\n");
  EXPECT_EQ(started("PMI_RANK=1"), "--cpu-list 4,20 program two words gpu=, order=\nstatus 0\n");
  EXPECT_EQ(started("SLURM_PROCID=120"), "--cpu-list 5 program two words gpu=,0 order=\nstatus 0\n");
}

TEST_F(Wrapper, mpirun_inside_a_job_of_slurm_says_who_is_who) {
  EXPECT_EQ(started("SLURM_PROCID=0 OMPI_COMM_WORLD_RANK=1"),
            "--cpu-list 4,20 program two words gpu=, order=\nstatus 0\n");
}

TEST_F(Wrapper, ranks_without_a_seat_do_not_start) {
  EXPECT_EQ(started("PMI_RANK=3"), "./seats.sh: there is no seat for rank \"3\"\nstatus 2\n");
  EXPECT_EQ(started(""), "./seats.sh: there is no seat for rank \"\"\nstatus 2\n");
}

}  // namespace
}  // namespace halocline::place
