// The benchmarks of the parts, in one program: halocline_bench NAME [ARGUMENT...]. What users measure on
// their machines is in the tool: halocline bench.

#include "benchmarks.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace halocline::bench {
namespace {

struct Benchmark {
  std::string_view name, what;
  int (*run)(int count, char** arguments);
};

constexpr std::array benchmarks{
    Benchmark{"shape", "process grids: time and quality beside the paper's", shape},
    Benchmark{"place", "placements: costs and times on the instances of the paper", place},
    Benchmark{"pack", "packing of layouts by kernels and by generated code, beside loops by hand", pack},
    Benchmark{"generate", "how long code takes to be generated", generate},
    Benchmark{"network", "how long tasks take to be mapped onto networks", network},
    Benchmark{"schedule", "how long schedules take to be worked out", schedule},
    Benchmark{"grid-choice", "grids chosen together with the placement, beside grids alone", grid_choice},
    Benchmark{"network-placement", "placement and mapping onto a network, together and each alone",
              network_placement},
    Benchmark{"cart", "how long communicators take to be made, beside MPI_Cart_create; under mpirun", cart},
    Benchmark{"call", "blocking and immediate calls of neighbourhoods, beside MPI's; under mpirun", call},
    Benchmark{"uneven", "grids for nodes of different sizes; under mpirun", uneven},
    Benchmark{"pack-mpi", "packing of datatypes beside MPI_Pack", pack_mpi},
    Benchmark{"ddtbench", "the kernels of DDTBench, beside MPI_Pack and loops by hand", ddtbench},
};

int usage(std::FILE* where, int status) {
  std::fputs("usage: halocline_bench NAME [ARGUMENT...]\n", where);
  for (const Benchmark& benchmark : benchmarks)
    std::fprintf(where, "  %-18s %s\n", benchmark.name.data(), benchmark.what.data());
  return status;
}

}  // namespace
}  // namespace halocline::bench

int main(int count, char** arguments) {
  using namespace halocline::bench;
  const std::string_view name = count > 1 ? arguments[1] : "";
  if (name == "--help" || name == "-h") return usage(stdout, 0);
  const auto* const found = std::find_if(benchmarks.begin(), benchmarks.end(),
                                         [&](const Benchmark& benchmark) { return benchmark.name == name; });
  if (found == benchmarks.end()) {
    if (count > 1) std::fprintf(stderr, "halocline_bench: there is no benchmark \"%s\"\n", arguments[1]);
    return usage(stderr, 2);
  }
  return found->run(count - 1, arguments + 1);
}
