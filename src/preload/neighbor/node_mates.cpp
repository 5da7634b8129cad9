// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/node_mates.hpp"

#include "base/numbers.hpp"
#include "mpi/discovery/slurm_nodes.hpp"
#include "mpi/handles/comm.hpp"
#include "preload/process/comm_attribute.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::preload {

const NodeMates& node_mates(MPI_Comm comm) {
  using Kept = CommAttribute<NodeMates>;
  if (const auto* const known = Kept::find(comm)) return **known;
  const mpi::Comm node = mpi::split_node(comm);
  NodeMates all(to_size(mpi::size(node.get())));
  std::iota(all.begin(), all.end(), 0);
  Kept::keep(comm, std::make_shared<NodeMates>(translated(all, node.get(), comm)));
  return **Kept::find(comm);
}

NodeMates translated(const NodeMates& mates, MPI_Comm from, MPI_Comm to) {
  mpi::Group old_ranks, new_ranks;
  HALOCLINE_MPI(Comm_group, from, old_ranks.put());
  HALOCLINE_MPI(Comm_group, to, new_ranks.put());
  NodeMates found(mates.size());
  HALOCLINE_MPI(Group_translate_ranks, old_ranks.get(), to_int(mates.size()), mates.data(), new_ranks.get(),
                found.data());
  std::erase(found, MPI_UNDEFINED);
  std::sort(found.begin(), found.end());
  return found;
}

void keep_node_mates(MPI_Comm comm, const NodeMates& mates) {
  using Kept = CommAttribute<NodeMates>;
  if (Kept::find(comm) == nullptr) Kept::keep(comm, std::make_shared<NodeMates>(mates));
}

}  // namespace halocline::preload
