// Blocking HCL_Neighbor_alltoall beside MPI_Neighbor_alltoall of the same MPI: 26 neighbours on a periodic
// grid of three dimensions, and the same exchange prepared.
//   mpirun -n 16 halocline_bench call [repetitions [bytes...]]
// Interleaved in one run, in turns that change their order, barrier before and maximum over ranks of each;
// medians of the times and of the ratios. "other buffers": every second rank changes its buffers each time.

#include "../number_argument.hpp"
#include "benchmarks.hpp"
#include "halocline/halocline.h"
#include "slowest_rank.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

namespace {

using halocline::bench::median;
using halocline::bench::slowest_seconds;

constexpr int neighbours = 26;

/// The same neighbours as MPI and as Halocline knows them.
struct Around {
  MPI_Comm cart = MPI_COMM_NULL, graph = MPI_COMM_NULL, comm = MPI_COMM_NULL;

  Around() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::array<int, 3> dims{}, cell{};
    const std::array<int, 3> periods{1, 1, 1};
    MPI_Dims_create(ranks, 3, dims.data());
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims.data(), periods.data(), 0, &cart);
    int rank = 0;
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 3, cell.data());
    std::vector<int> offsets, sources, targets;
    for (int i = 0; i < 27; ++i) {
      if (i == 13) continue;
      const std::array<int, 3> offset{i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
      offsets.insert(offsets.end(), offset.begin(), offset.end());
      std::array<int, 3> to{}, from{};
      for (std::size_t d = 0; d < 3; ++d) {
        to[d] = cell[d] + offset[d];
        from[d] = cell[d] - offset[d];
      }
      MPI_Cart_rank(cart, to.data(), &targets.emplace_back());
      MPI_Cart_rank(cart, from.data(), &sources.emplace_back());
    }
    MPI_Dist_graph_create_adjacent(cart, neighbours, sources.data(), MPI_UNWEIGHTED, neighbours,
                                   targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    HCL_Neighborhood_create(cart, neighbours, offsets.data(), &comm);
  }
};

struct Way {
  const char* name;
  std::function<void()> work;
  std::vector<double> seconds = {};
};

void measure(const Around& around, int bytes, int repetitions) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto all = static_cast<std::size_t>(bytes) * neighbours;
  std::array<std::vector<char>, 2> send{std::vector<char>(all, 'a'), std::vector<char>(all, 'b')};
  std::array<std::vector<char>, 2> receive{std::vector<char>(all), std::vector<char>(all)};
  HCL_Request request = HCL_REQUEST_NULL;
  HCL_Neighbor_alltoall_init(send[0].data(), bytes, MPI_CHAR, receive[0].data(), bytes, MPI_CHAR, around.comm,
                             MPI_INFO_NULL, &request);
  std::size_t turn = 0;
  const auto call = [&](std::size_t buffer) {
    HCL_Neighbor_alltoall(send[buffer].data(), bytes, MPI_CHAR, receive[buffer].data(), bytes, MPI_CHAR,
                          around.comm);
  };
  std::vector<Way> ways{
      {"MPI_Neighbor_alltoall",
       [&] {
         MPI_Neighbor_alltoall(send[0].data(), bytes, MPI_CHAR, receive[0].data(), bytes, MPI_CHAR,
                               around.graph);
       }},
      {"HCL_Neighbor_alltoall", [&] { call(0); }},
      {"HCL_Neighbor_alltoall, other buffers", [&] { call(rank % 2 == 0 ? 0 : ++turn % 2); }},
      {"HCL_Start, HCL_Wait", [&] {
         HCL_Start(&request);
         HCL_Wait(&request);
       }}};
  std::mt19937 order(1);
  std::vector<std::size_t> next{0, 1, 2, 3};
  for (int i = -3; i < repetitions; ++i) {
    std::shuffle(next.begin(), next.end(), order);
    for (const std::size_t way : next) {
      const double seconds = slowest_seconds(ways[way].work);
      if (i >= 0) ways[way].seconds.push_back(seconds);
    }
  }
  HCL_Request_free(&request);
  if (rank != 0) return;
  for (const Way& way : ways) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < way.seconds.size(); ++i)
      ratios.push_back(ways.front().seconds[i] / way.seconds[i]);
    std::printf("%8d B  %-40s %10.2f us  %6.2f times as fast as MPI\n", bytes, way.name,
                median(way.seconds) * 1e6, median(ratios));
  }
}

}  // namespace

int halocline::bench::call(int argc, char** argv) {
  const int repetitions = number_argument(argc, argv, 1, 1000, 1);
  MPI_Init(&argc, &argv);
  Around around;
  if (argc < 3) measure(around, 1, repetitions);
  for (int i = 2; i < argc; ++i) measure(around, std::atoi(argv[i]), repetitions);
  MPI_Comm_free(&around.comm);
  MPI_Comm_free(&around.graph);
  MPI_Comm_free(&around.cart);
  MPI_Finalize();
  return 0;
}
