// SPDX-License-Identifier: BSD-3-Clause
// The time of an exchange and of its adjoint, one after the other: four fields of 64^3 points a process,
// width 1, all directions. See docs/halo.md.

#include "halocline/halocline.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace hc = halocline;

namespace {

/// The median of what a call took on the slowest process, in microseconds.
template <class Call>
double median(const Call& call) {
  std::vector<double> times;
  for (int i = 0; i < 400; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    call();
    double mine = MPI_Wtime() - begin, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    times.push_back(all * 1e6);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void measure() {
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const hc::Cart cart(MPI_COMM_WORLD, hc::Mesh({64 * ranks, 64, 64}, hc::periodic(1, 1, 1)),
                      hc::Stencil::moore(3, 1), {.fixed = {ranks, 1, 1}});
  const hc::Field<double, 3> a(cart), b(cart), c(cart), d(cart);
  hc::Halo halo(cart, a, b, c, d);
  halo.accumulate();  // what it takes is made
  for (int round = 0; round < 3; ++round) {
    const double exchange = median([&] { halo.exchange(); });
    const double sum = median([&] { halo.accumulate(); });
    const double replace = median([&] { halo.accumulate(hc::Accumulate::replace); });
    if (rank == 0)
      std::printf("exchange %.0f us, accumulate %.0f us, replace %.0f us\n", exchange, sum, replace);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  measure();
  MPI_Finalize();
}
