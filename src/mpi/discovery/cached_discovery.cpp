// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/discovery/cached_discovery.hpp"

#include "mpi/handles/attribute_cache.hpp"

namespace halocline::mpi {

std::shared_ptr<const Discovery> cached_discovery(MPI_Comm comm) {
  std::shared_ptr<const Discovery> known = CommCache<Discovery>::find(comm);
  if (!known) {
    known = std::make_shared<const Discovery>(discover(comm));
    CommCache<Discovery>::keep(comm, known);
  }
  return known;
}

bool is_discovered(MPI_Comm comm) { return CommCache<Discovery>::find(comm) != nullptr; }

void keep_discovery(MPI_Comm comm, Discovery discovery) {
  CommCache<Discovery>::keep(comm, std::make_shared<const Discovery>(std::move(discovery)));
}

}  // namespace halocline::mpi
