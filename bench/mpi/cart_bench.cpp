// HCL_Cart_create beside MPI_Cart_create of the same MPI: on a communicator it sees for the first time, and
// again.
//   mpirun -n 64 cart_bench [repetitions]
// Interleaved in one run, order rotated, barrier before and maximum over ranks of each; medians of the
// ratios.

#include "../number_argument.hpp"
#include "halocline/halocline.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

double slowest_seconds(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  work();
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Grid {
  std::array<int, 3> dims{};
  std::array<int, 3> periods{1, 1, 1};
};

void create_plain(MPI_Comm comm, const Grid& grid) {
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(comm, 3, grid.dims.data(), grid.periods.data(), 1, &cart);
  MPI_Comm_free(&cart);
}

void create_placed(MPI_Comm comm, const Grid& grid) {
  MPI_Comm cart = MPI_COMM_NULL;
  HCL_Cart_create(comm, 3, grid.dims.data(), grid.periods.data(), 1, 0, HCL_STENCIL_NEAREST, nullptr,
                  MPI_INFO_NULL, &cart);
  MPI_Comm_free(&cart);
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = halocline::bench::number_argument(argc, argv, 1, 30, 1);
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Grid grid;
  MPI_Dims_create(ranks, 3, grid.dims.data());

  std::vector<double> plain;
  std::vector<double> first;
  std::vector<double> again;
  for (int i = 0; i < repetitions; ++i) {
    MPI_Comm fresh = MPI_COMM_NULL;  // split, not dup: a duplicate would inherit what was discovered
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &fresh);
    const auto time_plain = [&] { plain.push_back(slowest_seconds([&] { create_plain(fresh, grid); })); };
    if (i % 2 == 0) time_plain();
    first.push_back(slowest_seconds([&] { create_placed(fresh, grid); }));
    if (i % 2 != 0) time_plain();
    again.push_back(slowest_seconds([&] { create_placed(fresh, grid); }));
    MPI_Comm_free(&fresh);
  }
  if (rank == 0) {
    std::vector<double> first_ratio;
    std::vector<double> again_ratio;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      first_ratio.push_back(first[i] / plain[i]);
      again_ratio.push_back(again[i] / plain[i]);
    }
    std::printf("%d ranks, %d repetitions, medians\n", ranks, repetitions);
    std::printf("%-28s %10.3f ms\n", "MPI_Cart_create", median(plain) * 1e3);
    std::printf("%-28s %10.3f ms  ratio %5.2f\n", "HCL_Cart_create, first use", median(first) * 1e3,
                median(first_ratio));
    std::printf("%-28s %10.3f ms  ratio %5.2f\n", "HCL_Cart_create, again", median(again) * 1e3,
                median(again_ratio));
  }
  MPI_Finalize();
  return 0;
}
