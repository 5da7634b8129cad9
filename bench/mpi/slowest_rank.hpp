// Times of what all ranks do together, and what is typical of many of them.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace halocline::bench {

/// Of the rank that takes longest, from a barrier on. Collective on MPI_COMM_WORLD.
inline double slowest_seconds(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  work();
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

/// @pre there is at least one value
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace halocline::bench
