// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_dup of a graph's communicator: the copy gets streams as the graph did when it was made, because
// its collectives may come to processes that need them and not to others.

#include "preload/neighbor/neighbor_call.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

namespace halocline::preload {
namespace {

int with_streams(int code, MPI_Comm comm, const MPI_Comm* copy) {
  if (code != MPI_SUCCESS || copy == nullptr || StreamedComm::find(comm) == nullptr) return code;
  if (StreamedComm::find(*copy) != nullptr) return code;  // a tool has called us on the way
  int topology = MPI_UNDEFINED;
  if (PMPI_Topo_test(comm, &topology) == MPI_SUCCESS && topology == MPI_DIST_GRAPH)
    prepare_streams(*copy, comm);
  return code;
}

}  // namespace

template <Prefix prefix>
int comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  return with_streams(HALOCLINE_SYSTEM_BY(prefix, Comm_dup)(comm, copy), comm, copy);
}

template <Prefix prefix>
int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* copy) {
  return with_streams(HALOCLINE_SYSTEM_BY(prefix, Comm_dup_with_info)(comm, info, copy), comm, copy);
}

HALOCLINE_BOTH_WAYS(Comm_dup, comm_dup)
HALOCLINE_BOTH_WAYS(Comm_dup_with_info, comm_dup_with_info)

}  // namespace halocline::preload
