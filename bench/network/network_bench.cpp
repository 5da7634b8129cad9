// How long the network floor takes, on one core: halocline_bench network [repeats]
//   mapping: 3-D tasks onto as many 3-D cores, FZ, coordinates in, cores out; cells of cubes and random
//   points metrics: a 7-point stencil on the same tasks, mapped, on a torus
// Each time is the shortest of some repeats (3 unless given), in seconds of the processor, so that others on
// a shared machine do not count.

#include "../number_argument.hpp"
#include "benchmarks.hpp"
#include "network/mapping.hpp"
#include "network/routing/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>

namespace halocline::network {
namespace {

class Bench {
 public:
  explicit Bench(int repeats) : repeats_(repeats) {}

  void run() const {
    std::printf("%9s  %-7s %12s %16s %12s %12s\n", "points", "kind", "mapping [s]", "[ns / n log2 n]",
                "hops [s]", "metrics [s]");
    for (const Count extent : {16, 25, 32, 40, 64, 100, 128}) {
      const Grid grid(Counts(3, extent), periodic(1, 1, 1));
      const Points cells = Points::of_grid(grid);
      line(grid, "cells", cells, cells);
      line(grid, "random", random_points(cells.size(), 1), random_points(cells.size(), 2));
    }
  }

 private:
  [[nodiscard]] double seconds_of(const std::function<void()>& work) const {
    double least = 1e300;
    for (int repeat = 0; repeat < repeats_; ++repeat) {
      const std::clock_t start = std::clock();
      work();
      least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
  }

  static Points random_points(std::size_t size, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::vector<double>> columns(3, std::vector<double>(size));
    for (auto& column : columns)
      for (double& x : column) x = static_cast<double>(random() >> 11) * 0x1p-53;
    return Points(std::move(columns));
  }

  void line(const Grid& grid, const char* kind, const Points& tasks, const Points& cores) const {
    Counts core_of_task;
    const double mapping = seconds_of([&] { core_of_task = map_tasks(tasks, cores); });
    const auto n = static_cast<double>(tasks.size());
    std::printf("%9zu  %-7s %12.4f %16.2f", tasks.size(), kind, mapping, mapping * 1e9 / (n * std::log2(n)));
    const Network torus = Network::torus(grid.extents());
    const auto messages = Messages::of_stencil(grid, Stencil::nearest(3));
    const double hops = seconds_of([&] { (void)measure_hops(messages, torus, core_of_task); });
    const double metrics = seconds_of([&] { (void)measure(messages, torus, core_of_task); });
    std::printf(" %12.4f %12.4f\n", hops, metrics);
    std::fflush(stdout);
  }

  int repeats_;
};

}  // namespace
}  // namespace halocline::network

int halocline::bench::network(int argc, char** argv) {
  const int repeats = number_argument(argc, argv, 1, 3, 1);
  if (argc > 2) {
    std::fprintf(stderr, "usage: halocline_bench network [repeats], at least 1\n");
    return 2;
  }
  halocline::network::Bench(repeats).run();
  return 0;
}
