// SPDX-License-Identifier: BSD-3-Clause
// The GPU and the NIC next to each process of a job.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace halocline::mpi {

struct NearDevices {
  int node;          ///< Numbered in the order of their first ranks.
  std::string gpus;  ///< Names with commas between them: all that are equally near; empty if there are none.
  std::string nics;
  bool operator==(const NearDevices&) const = default;
};

/// For each rank of `comm`, on rank 0; nothing elsewhere. A process is where it may run: one that is bound to
/// no part of its node has all devices. One process of each node asks hwloc. Collective; 256 bytes of each
/// rank on rank 0.
[[nodiscard]] std::vector<NearDevices> near_devices(MPI_Comm comm);

}  // namespace halocline::mpi
