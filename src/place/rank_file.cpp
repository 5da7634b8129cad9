// SPDX-License-Identifier: BSD-3-Clause
#include "place/rank_file.hpp"

#include "base/fail.hpp"
#include "base/find_by_name.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace halocline::place {
namespace {

/// Calls visit(rank, position) for the program's ranks in order; position is in the node-sorted order.
template <class Visit>
void for_each_rank(const LauncherView& launch, const Visit& visit) {
  constexpr Count chunk = 1 << 14;
  std::vector<Rank> positions;
  for (Count first = 0; first < launch.placement.grid().size(); first += chunk) {
    positions.resize(to_size(std::min(chunk, launch.placement.grid().size() - first)));
    launch.placement.ranks(first, positions);
    for (std::size_t i = 0; i < positions.size(); ++i) visit(first + to_count(i), positions[i]);
  }
}

const std::string& host_of(const LauncherView& launch, Rank position) {
  return launch.hosts[to_index(launch.machine.node_of(position))];
}

/// "rank 5=n2 slot=4-7": the rank, its host, and which of the host's cores it is bound to. Seats have
/// consecutive cores.
void write_openmpi(const LauncherView& launch, std::ostream& out) {
  for_each_rank(launch, [&](Rank rank, Rank position) {
    const Runs& nodes = launch.machine.node_sizes();
    const Count node = nodes.find(position), slot = position - nodes.start(node);
    const Count end = checked_multiply(slot + 1, launch.cores_per_rank);
    const Count first = launch.seats == nullptr ? end - launch.cores_per_rank
                                                : launch.seats->at(nodes[node])[to_index(slot)].front();
    out << "rank " << rank << '=' << host_of(launch, position) << " slot=" << first;
    if (launch.cores_per_rank > 1) out << '-' << first + launch.cores_per_rank - 1;
    out << '\n';
  });
}

/// The ranks in the order in which the nodes are filled, a line a node.
void write_mpich(const LauncherView& launch, std::ostream& out) {
  const Grid& grid = launch.placement.grid();
  Cell cell(grid.dimensions());
  for (Count node = 0, position = 0; node < launch.machine.nodes(); ++node) {
    const Rank end = launch.machine.node_sizes().start(node + 1);
    for (bool first = true; position < end; ++position, first = false) {
      launch.placement.cell(position, cell);
      out << (first ? "" : ",") << grid.index(cell);
    }
    out << '\n';
  }
}

/// The host of each rank, one a line.
void write_slurm(const LauncherView& launch, std::ostream& out) {
  for_each_rank(launch, [&](Rank, Rank position) { out << host_of(launch, position) << '\n'; });
}

/// "n2:3": the next three ranks are on n2.
void write_hydra(const LauncherView& launch, std::ostream& out) {
  Count node = -1;
  Count ranks = 0;
  const auto finish_run = [&] {
    if (ranks > 0) out << launch.hosts[to_index(node)] << ':' << ranks << '\n';
  };
  for_each_rank(launch, [&](Rank, Rank position) {
    const Count its_node = launch.machine.node_of(position);
    if (its_node != node) {
      finish_run();
      node = its_node;
      ranks = 0;
    }
    ++ranks;
  });
  finish_run();
}

constexpr std::array formats{
    RankFile{"openmpi", "mpirun --rankfile FILE", "", true, write_openmpi},
    RankFile{"mpich", "MPICH_RANK_REORDER_METHOD=3 with FILE as ./MPICH_RANK_ORDER",
             ", by srun --cpus-per-task=N or aprun -d N", false, write_mpich},
    RankFile{"slurm", "SLURM_HOSTFILE=FILE srun --distribution=arbitrary", " --cpus-per-task=N", true,
             write_slurm},
    RankFile{"hydra", "mpiexec -f FILE", " -bind-to core:N", true, write_hydra},
};

}  // namespace

std::span<const RankFile> rank_files() { return formats; }

const RankFile& rank_file(std::string_view name) { return find_by_name(formats, "rank file", name); }

std::string launch_line(const RankFile& format, const std::string& path, Count cores_per_rank) {
  std::string line(format.use);
  if (cores_per_rank > 1)
    for (const char letter : format.wide_use)
      line += letter == 'N' ? std::to_string(cores_per_rank) : std::string(1, letter);
  return line.replace(line.rfind("FILE"), 4, path);
}

void write_rank_file(const RankFile& format, const LauncherView& launch, std::ostream& out) {
  if (format.needs_hosts) {
    const Count nodes = launch.machine.nodes();
    require(count_of(launch.hosts) == nodes, launch.hosts.size(), " host names for ", nodes,
            " nodes; the format ", format.name, " needs one for each");
    for (const std::string& host : launch.hosts)
      require(!host.empty() && host.find_first_of(" \t\n") == std::string::npos, "the host name \"", host,
              "\" is empty or has blanks");
  }
  format.write(launch, out);
}

}  // namespace halocline::place
