#include "mpi/handles/handle.hpp"

#include "mpi/handles/comm.hpp"

#include <gtest/gtest.h>

namespace halocline::mpi {
namespace {

int count_frees(MPI_Comm /*comm*/, int /*key*/, void* /*value*/, void* frees) {
  ++*static_cast<int*>(frees);
  return MPI_SUCCESS;
}

class Handles : public testing::Test {
 protected:
  void SetUp() override { MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_frees, &key_, &frees_); }
  void TearDown() override { MPI_Comm_free_keyval(&key_); }

  /// A communicator whose release is counted.
  Comm counted() {
    Comm comm = split(MPI_COMM_WORLD, 0, 0);
    MPI_Comm_set_attr(comm.get(), key_, nullptr);
    return comm;
  }

  int key_ = MPI_KEYVAL_INVALID;
  int frees_ = 0;
};

TEST_F(Handles, are_freed_once_and_by_the_last_owner) {
  {
    Comm first = counted();
    const Comm second = std::move(first);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): moved from means null
    EXPECT_TRUE(second);
    EXPECT_EQ(frees_, 0);
  }
  EXPECT_EQ(frees_, 1);
}

TEST_F(Handles, a_released_handle_is_the_callers) {
  MPI_Comm mine = MPI_COMM_NULL;
  {
    Comm comm = counted();
    mine = comm.release();
  }
  EXPECT_EQ(frees_, 0);
  MPI_Comm_free(&mine);
  EXPECT_EQ(frees_, 1);
}

TEST_F(Handles, assignment_swaps_so_that_nothing_is_lost) {
  {
    Comm a = counted();
    Comm b = counted();
    a = std::move(b);
    EXPECT_TRUE(a);
  }
  EXPECT_EQ(frees_, 2);
}

TEST(Split, takes_no_part_with_undefined_colour) {
  const Comm part = split(MPI_COMM_WORLD, rank(MPI_COMM_WORLD) == 0 ? 0 : MPI_UNDEFINED, 0);
  EXPECT_EQ(static_cast<bool>(part), rank(MPI_COMM_WORLD) == 0);
}

TEST(Broadcast, tells_everyone_the_roots_text) {
  const int root = size(MPI_COMM_WORLD) - 1;
  const std::string mine = rank(MPI_COMM_WORLD) == root ? "node:4 core:4" : "something else";
  EXPECT_EQ(broadcast(MPI_COMM_WORLD, mine, root), "node:4 core:4");
  EXPECT_EQ(broadcast(MPI_COMM_WORLD, rank(MPI_COMM_WORLD) == root ? "" : "x", root), "");
}

}  // namespace
}  // namespace halocline::mpi
