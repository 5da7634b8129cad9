// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/discovery/slurm_nodes.hpp"

#include "base/numbers.hpp"
#include "base/slurm_step.hpp"
#include "mpi/discovery/host.hpp"

#include <algorithm>
#include <vector>

#include <sys/stat.h>

namespace halocline::mpi {
namespace {

constexpr const char* shared_memory = "/dev/shm";  // where shm_open() puts it

}  // namespace

SharedFolder shared_folder() {
  struct stat found {};
  if (stat(shared_memory, &found) != 0) return {};
  return {kernel_number(), static_cast<std::int64_t>(found.st_dev), static_cast<std::int64_t>(found.st_ino)};
}

Comm split_by_slurm(MPI_Comm comm, int node, const SharedFolder& folder) {
  Comm together = split(comm, node, rank(comm));
  std::vector<SharedFolder> all(to_size(size(together.get())));
  constexpr int bytes = sizeof folder;
  HALOCLINE_MPI(Allgather, &folder, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, together.get());
  const auto same = [&](const SharedFolder& other) { return other == folder; };
  const bool known =
      std::none_of(all.begin(), all.end(), [](const SharedFolder& one) { return one.kernel == 0; });
  if (known && std::all_of(all.begin(), all.end(), same)) return together;
  const int me = rank(together.get());
  const auto first = std::find_if(all.begin(), all.end(), same) - all.begin();
  return split(together.get(), folder.kernel == 0 ? me : to_int(first), me);
}

std::optional<int> alone_in_company(MPI_Comm comm, MPI_Comm node) {
  return size(comm) > 1 && size(node) == 1 ? shared_node_of_slurm() : std::nullopt;
}

Comm split_node(MPI_Comm comm) {
  Comm node = split_shared(comm);
  if (size(node.get()) == size(comm)) return node;  // all processes know it, or none does
  const std::optional<int> slurms = alone_in_company(comm, node.get());
  int mine = slurms ? 1 : 0, all = 0;
  HALOCLINE_MPI(Allreduce, &mine, &all, 1, MPI_INT, MPI_MIN, comm);
  if (all != 0) node = split_by_slurm(comm, *slurms, shared_folder());
  return node;
}

}  // namespace halocline::mpi
