// Questions that most MPI tests ask.
#pragma once

#include "halocline/base/count.hpp"
#include "mpi/comm.hpp"

#include <cstdlib>
#include <string>
#include <vector>

namespace halocline {

inline int world_rank() { return mpi::rank(MPI_COMM_WORLD); }
inline int world_size() { return mpi::size(MPI_COMM_WORLD); }

/// One value of each rank, in rank order.
inline std::vector<Count> everyones(MPI_Comm comm, Count mine) {
  std::vector<Count> all(static_cast<std::size_t>(mpi::size(comm)));
  MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm);
  return all;
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
