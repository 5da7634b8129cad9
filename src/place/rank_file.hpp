// SPDX-License-Identifier: BSD-3-Clause
// Placements for programs that know nothing of them: files that make the launcher start each rank where it
// belongs.
#pragma once

#include "halocline/describe/machine.hpp"
#include "halocline/place/placement.hpp"

#include <map>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::place {

/// For nodes of so many ranks, the cores of each seat; place i of a node is its seat i.
using SeatCores = std::map<Count, std::vector<Counts>>;

/// A placement as it looks to a launcher: the program's rank r owns cell r of the grid, row by row, as after
/// MPI_Cart_create without reordering.
struct LauncherView {
  const Placement& placement;
  const Machine& machine;
  std::span<const std::string> hosts;  ///< The names of the nodes, in the machine's order.
  Count cores_per_rank = 1;            ///< For its threads.
  const SeatCores* seats = nullptr;    ///< Which cores; otherwise the next ones that are free.
};

/// One launcher's format. A new one is a row in the table.
struct RankFile {
  std::string_view name;
  std::string_view use;       ///< How to launch with it; FILE stands for the file.
  std::string_view wide_use;  ///< What to add for ranks of N cores; empty where the file says it.
  bool needs_hosts;
  void (*write)(const LauncherView& launch, std::ostream& out);
};

/// Open MPI's rankfile, Cray MPICH's rank order, Slurm's arbitrary host file, Hydra's host list.
[[nodiscard]] std::span<const RankFile> rank_files();

/// The format of that name. Throws Error{invalid_argument} that lists the names there are.
[[nodiscard]] const RankFile& rank_file(std::string_view name);

/// How to launch with a file, ranks that have so many cores each.
[[nodiscard]] std::string launch_line(const RankFile& format, const std::string& path, Count cores_per_rank);

/// Writes in that format. O(p) time, streaming. Throws Error{invalid_argument} if the format needs host names
/// and there is not one for each node, if one is empty or has blanks, and if there are more cores than can be
/// counted.
void write_rank_file(const RankFile& format, const LauncherView& launch, std::ostream& out);

}  // namespace halocline::place
