// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/call.hpp"

namespace halocline::mpi {

bool is_cartesian(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  HALOCLINE_MPI(Topo_test, comm, &topology);
  return topology == MPI_CART;
}

}  // namespace halocline::mpi
