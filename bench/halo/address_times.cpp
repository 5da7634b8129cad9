// SPDX-License-Identifier: BSD-3-Clause
// What an exchange takes whose field is told at the call: medians, the ways in turns.
//   mpicxx -std=c++20 -O2 -Iinclude bench/halo/address_times.cpp \
//     build/release/src/libhalocline.a -lhwloc -o address_times
//   mpirun -n 2 ./address_times

#include <halocline/halo/field.hpp>
#include <halocline/halo/halo.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

namespace {

using halocline::Addresses, halocline::Cart, halocline::FieldView, halocline::Halo, halocline::HaloOptions;

constexpr int rounds = 4001;
constexpr halocline::Count n = 32;

double median(std::vector<double>& times) {
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[rounds / 2];
}

void measure() {
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Cart cart(MPI_COMM_WORLD, halocline::Mesh({n * ranks, n, n}, halocline::periodic(1, 1, 1)),
                  halocline::Stencil::nearest(3));
  const halocline::Counts own = cart.decomposition()->box(cart.cell()).extents;
  std::vector<std::vector<double>> arrays(
      3, std::vector<double>(static_cast<std::size_t>((own[0] + 2) * (own[1] + 2) * (own[2] + 2))));
  std::vector<FieldView> views;
  for (auto& array : arrays)
    views.push_back(halocline::view(array.data(), {own[0] + 2, own[1] + 2, own[2] + 2},
                                    halocline::HaloWidths({1, 1, 1})));
  HaloOptions any;
  any.addresses = Addresses::any;
  Halo fixed(cart, views[0]), moves(cart, any, views[0]);
  std::size_t next = 0;
  const auto address = [&] { return std::array<const void*, 1>{arrays[++next % 3].data()}; };
  struct Way {
    const char* name;
    std::function<void()> start;
    Halo& halo;
    std::vector<double> starts = {}, alls = {};
  };
  std::vector<Way> ways{{"fixed: start()", [&] { fixed.start(); }, fixed},
                        {"any: start()", [&] { moves.start(); }, moves},
                        {"any: start_with(another address)", [&] { moves.start_with(address()); }, moves},
                        {"any: start(another view)", [&] { moves.start(views[++next % 3]); }, moves}};
  for (int round = 0; round < rounds; ++round)
    for (Way& way : ways) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      way.start();
      const double started = MPI_Wtime();
      way.halo.wait();
      const double end = MPI_Wtime();
      way.starts.push_back((started - begin) * 1e6);
      way.alls.push_back((end - begin) * 1e6);
    }
  for (Way& way : ways)
    if (rank == 0)
      std::printf("%-34s start %8.2f us, with wait %8.2f us\n", way.name, median(way.starts),
                  median(way.alls));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  measure();
  MPI_Finalize();
}
