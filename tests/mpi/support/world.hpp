// Questions that most MPI tests ask.
#pragma once

#include "halocline/base/count.hpp"
#include "mpi/handles/comm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace halocline {

inline int world_rank() { return mpi::rank(MPI_COMM_WORLD); }
inline int world_size() { return mpi::size(MPI_COMM_WORLD); }

/// The world in a random order, so that nothing is remembered from an earlier machine.
inline mpi::Comm shuffled_world(unsigned seed) {
  std::vector<int> keys(static_cast<std::size_t>(world_size()));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i);
  std::shuffle(keys.begin(), keys.end(), std::mt19937(seed));
  return mpi::split(MPI_COMM_WORLD, 0, keys[static_cast<std::size_t>(world_rank())]);
}

/// A communicator of two dimensions that MPI made of the world, periodic along the first.
inline mpi::Comm plain_sheet() {
  std::array<int, 2> dims{};
  MPI_Dims_create(world_size(), 2, dims.data());
  const std::array<int, 2> periods{1, 0};
  mpi::Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, cart.put());
  return cart;
}

/// One value of each rank, in rank order.
inline std::vector<Count> everyones(MPI_Comm comm, Count mine) {
  std::vector<Count> all(static_cast<std::size_t>(mpi::size(comm)));
  MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm);
  return all;
}

/// A number that grows when communicators have been lost: the highest handle that some new ones get. Both
/// MPIs give freed handles away again before they make more.
inline unsigned highest_new_communicator(MPI_Comm comm) {
  std::vector<mpi::Comm> some(24);
  unsigned highest = 0;
  for (mpi::Comm& each : some) {
    MPI_Comm_dup(comm, each.put());
    highest = std::max(highest, static_cast<unsigned>(MPI_Comm_c2f(each.get())));
  }
  return highest;
}

/// Does `work` again and again, and expects it to lose no communicator: one each time would show. (A few more
/// may be in use at once, as MPICH frees some of its own a little later.)
template <class Work>
void expect_no_lost_communicators(MPI_Comm comm, const Work& work) {
  constexpr unsigned rounds = 30;
  work();
  const unsigned before = highest_new_communicator(comm);
  for (unsigned round = 0; round < rounds; ++round) work();
  EXPECT_LT(highest_new_communicator(comm), before + rounds);
}

/// HALOCLINE_MACHINE for the length of a scope.
class DescribedMachine {
 public:
  explicit DescribedMachine(const std::string& text) { setenv("HALOCLINE_MACHINE", text.c_str(), 1); }
  ~DescribedMachine() { unsetenv("HALOCLINE_MACHINE"); }
  DescribedMachine(const DescribedMachine&) = delete;
  DescribedMachine& operator=(const DescribedMachine&) = delete;
};

}  // namespace halocline
