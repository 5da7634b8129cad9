// SPDX-License-Identifier: BSD-3-Clause
#include "place/launch_wrapper.hpp"

namespace halocline::place {
namespace {

// Slurm's own number comes last: under mpirun inside a job it is that of mpirun.
constexpr const char* beginning = R"(#!/bin/sh
# Starts a rank on its cores, with its GPU: mpirun ... THIS_FILE ./program
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-$SLURM_PROCID}}}
case $rank in
)";
constexpr const char* last_lines = R"(*) echo "$0: there is no seat for rank \"$rank\"" >&2; exit 2 ;;
esac
exec taskset --cpu-list "$cpus" "$@"
)";

/// AMD and Intel number devices by their place on the bus anyway.
constexpr const char* numbers_of_cuda = "export CUDA_DEVICE_ORDER=PCI_BUS_ID ";

}  // namespace

void write_launch_wrapper(std::span<const WrappedSeat> seats, std::ostream& out) {
  out << beginning;
  for (const WrappedSeat& seat : seats) {
    for (std::size_t i = 0; i < seat.ranks.size(); ++i) out << (i == 0 ? "" : "|") << seat.ranks[i];
    out << ") cpus=" << seat.processors;
    if (!seat.variable.empty()) {
      out << "; " << (seat.variable.starts_with("CUDA") ? numbers_of_cuda : "export ") << seat.variable << '='
          << seat.gpu;
    }
    out << " ;;\n";
  }
  out << last_lines;
}

}  // namespace halocline::place
