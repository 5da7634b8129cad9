// SPDX-License-Identifier: BSD-3-Clause
// What hwloc says, in objects that free themselves. Included by what reads topologies, and nobody else.
#pragma once

#include <hwloc.h>

#include <memory>

namespace halocline::mpi {

/// hwloc would bind this process to every processor in turn, to look at it from there. Where another process
/// waits on one of them without giving way, at a real-time priority, this one would never come back. What is
/// not asked for is not read either.
inline constexpr unsigned long quietly = 0
#if HWLOC_API_VERSION >= 0x00020500
                                         | HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING
#endif
#if HWLOC_API_VERSION >= 0x00020800
                                         | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                         HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS
#endif
    ;

struct TopologyDeleter {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using HostTopology = std::unique_ptr<hwloc_topology, TopologyDeleter>;

}  // namespace halocline::mpi
