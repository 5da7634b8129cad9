// SPDX-License-Identifier: BSD-3-Clause
// This host as hwloc sees it: which processors share a core, a cache, a memory, a package. No MPI calls here.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/describe/machine.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace halocline::mpi {

/// The processors a process may run on, a bit each. As many as the largest Linux kernels know.
using CpuMask = std::array<std::uint64_t, 128>;

/// The mask of the calling process; empty if the system does not tell.
[[nodiscard]] CpuMask cpu_mask_of_this_process();

/// The same for processes that run on one kernel, however many nodes they seem to be on, and most likely
/// another one elsewhere; 0 if the system does not tell. Read once.
[[nodiscard]] int kernel_number();

/// Where a process is confined to, outermost first; the order of host_levels.
using HostLocation = std::array<Count, 4>;
inline constexpr std::array<const char*, 4> host_levels{"package", "numa", "l3", "core"};

/// The location of each process of this host, from its mask. A level at which any of the masks spans two
/// groups says nothing about anybody and is 0 for all. The topology is read
/// once, and only if the masks differ.
[[nodiscard]] std::vector<HostLocation> locate(std::span<const CpuMask> masks);

/// One mask for each core of this host that this process may use.
[[nodiscard]] std::vector<CpuMask> usable_cores();

}  // namespace halocline::mpi
