// Schedules of the usual neighbourhoods: rounds, blocks, scratch, and how long it takes to make them.
// Usage: halocline_bench schedule. Times are processor time, the least of several runs.

#include "benchmarks.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/cost.hpp"
#include "schedule/on_grid.hpp"
#include "schedule/process/local.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace halocline::bench {
namespace {

using schedule::Algorithm;

/// Offsets whose largest coordinate is 3 or 7.
Stencil shales() {
  std::vector<Offset> offsets;
  for (Count a = -7; a <= 7; ++a)
    for (Count b = -7; b <= 7; ++b)
      for (Count c = -7; c <= 7; ++c) {
        const Count largest = std::max({std::abs(a), std::abs(b), std::abs(c)});
        if (largest == 3 || largest == 7) offsets.push_back({a, b, c});
      }
  return Stencil(std::move(offsets));
}

struct Row {
  std::string name;
  Stencil stencil;
};

std::vector<Row> rows() {
  std::vector<Row> all;
  for (std::size_t dimensions = 2; dimensions <= 5; ++dimensions)
    for (Count radius = 1; radius <= 3; ++radius) {
      char name[64];
      std::snprintf(name, sizeof name, "moore d=%zu r=%d", dimensions, static_cast<int>(radius));
      all.push_back({name, Stencil::moore(dimensions, radius)});
    }
  all.push_back({"octant d=3 r=1", Stencil::octant(3, 1)});
  all.push_back({"octant d=3 r=3", Stencil::octant(3, 3)});
  all.push_back({"octant d=4 r=3", Stencil::octant(4, 3)});
  all.push_back({"star d=3 r=3", Stencil::star(3, 3)});
  all.push_back({"shales d=3 3,7", shales()});
  return all;
}

/// The processor time of this thread: on a shared machine the wall clock tells what others do.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double least_seconds(const Work& work) {
  double least = 1e9, total = 0;
  int batch = 1;  // so many at once that reading the clock does not count
  for (int run = 0; run < 500 && (run < 20 || total < 0.2); ++run) {
    const double start = processor_seconds();
    for (int i = 0; i < batch; ++i) work();
    const double seconds = processor_seconds() - start;
    least = std::min(least, seconds / batch);
    total += seconds;
    if (run == 0) batch = seconds < 1e-4 ? static_cast<int>(1e-4 / seconds) + 1 : 1;
  }
  return least;
}

void print_schedules(Operation operation, const char* name) {
  std::printf("\n%s\n%-16s %6s", name, "neighbourhood", "s");
  for (const Algorithm& algorithm : schedule::algorithms())
    std::printf(" | %-12s %7s %8s %10s", std::string(algorithm.name).c_str(), "blocks", "scratch", "us");
  std::printf("\n");
  for (const Row& row : rows()) {
    std::printf("%-16s %6zu", row.name.c_str(), row.stencil.size());
    for (const Algorithm& algorithm : schedule::algorithms()) {
      const Schedule made = algorithm.make(row.stencil, operation);
      const schedule::Cost cost = schedule::cost(made);
      const double seconds = least_seconds([&] { (void)algorithm.make(row.stencil, operation); });
      std::printf(" | %12lld %7lld %8zu %10.1f", static_cast<long long>(cost.rounds),
                  static_cast<long long>(cost.volume), made.scratch().size(), 1e6 * seconds);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}

/// All that a process does before it can begin: reduce, make, merge, and its own part.
void print_local() {
  std::printf("\nmoore d=3 r=1 on 8x8x8, for one process, us\n%-14s %-10s %10s %10s\n", "algorithm",
              "operation", "periodic", "open");
  const Stencil stencil = Stencil::moore(3, 1);
  for (const Algorithm& algorithm : schedule::algorithms())
    for (const Operation operation : {Operation::alltoall, Operation::allgather}) {
      std::printf("%-14s %-10s", std::string(algorithm.name).c_str(),
                  operation == Operation::alltoall ? "alltoall" : "allgather");
      for (const bool wraps : {true, false}) {
        const Grid grid({8, 8, 8}, Periodicity(3, wraps));
        const double seconds = least_seconds([&] {
          const Schedule made = schedule::on(algorithm, stencil, operation, grid);
          (void)LocalSchedule(made, grid, 100).rounds();
        });
        std::printf(" %10.1f", 1e6 * seconds);
      }
      std::printf("\n");
    }
}

}  // namespace
}  // namespace halocline::bench

int halocline::bench::schedule(int /*count*/, char** /*arguments*/) {
  print_schedules(halocline::Operation::alltoall, "alltoall: rounds, blocks sent, scratch blocks");
  print_schedules(halocline::Operation::allgather, "allgather: rounds, blocks sent, scratch blocks");
  print_local();
  return 0;
}
