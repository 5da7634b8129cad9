// The table of all benchmarks of the parts.

#include "parts.hpp"

#include "tools/bench/parts.hpp"

#include <array>

namespace halocline::tools {

std::span<const PartBenchmark> bench_parts() {
  static constexpr std::array table{
      PartBenchmark{"shape", "process grids: how long they take to be found", bench::declare_shape},
      PartBenchmark{"place", "placements: costs and times on the instances of the paper and on random ones",
                    bench::declare_place},
      PartBenchmark{"pack", "packing of layouts by kernels and by generated code, beside loops by hand",
                    bench::declare_pack},
      PartBenchmark{"device-pack",
                    "packing on a GPU by the transfer kernel, beside kernels made for each layout",
                    bench::declare_device_pack},
      PartBenchmark{"generate", "how long code takes to be generated", bench::declare_generate},
      PartBenchmark{"network", "how long tasks take to be mapped onto networks", bench::declare_network},
      PartBenchmark{"graph-mapping", "graphs mapped onto nodes, beside grid algorithms, Scotch and METIS",
                    bench::declare_graph_mapping},
      PartBenchmark{"schedule", "how long schedules take to be worked out", bench::declare_schedule},
      PartBenchmark{"grid-choice", "grids chosen together with the placement, beside grids alone",
                    bench::declare_grid_choice},
      PartBenchmark{"network-placement", "placement and mapping onto a network, together and each alone",
                    bench::declare_network_placement},
      PartBenchmark{"cart", "how long communicators take to be made, beside MPI_Cart_create; under mpirun",
                    bench::declare_cart},
      PartBenchmark{"call", "blocking calls of neighbourhoods, beside MPI's; under mpirun",
                    bench::declare_call},
      PartBenchmark{"uneven", "grids for nodes of different sizes, beside MPI_Dims_create",
                    bench::declare_uneven},
      PartBenchmark{"pack-mpi", "packing of datatypes by every engine, beside MPI_Pack",
                    bench::declare_pack_mpi},
      PartBenchmark{"ddtbench", "the kernels of DDTBench, beside MPI_Pack and loops by hand",
                    bench::declare_ddtbench},
  };
  return table;
}

}  // namespace halocline::tools
