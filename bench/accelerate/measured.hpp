// Times of something that all processes do at once.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace halocline::bench {

/// The median in microseconds, where the slowest process counts each time; what comes after it does not
/// count.
template <class Work, class After>
double median_us(MPI_Comm comm, int repeats, const Work& work, const After& after) {
  std::vector<double> times;
  for (int i = 0; i < repeats + 5; ++i) {
    MPI_Barrier(comm);
    const double begin = MPI_Wtime();
    work();
    double mine = MPI_Wtime() - begin, slowest = 0;
    after();
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (i >= 5) times.push_back(slowest * 1e6);  // the first ones warm up
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<std::size_t>(repeats) / 2];
}

template <class Work>
double median_us(MPI_Comm comm, int repeats, const Work& work) {
  return median_us(comm, repeats, work, [] {});
}

}  // namespace halocline::bench
