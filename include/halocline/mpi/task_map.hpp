// SPDX-License-Identifier: BSD-3-Clause
// Which process should do which task, for applications of any shape: coordinates in, new rank out.
#pragma once

#include "halocline/api.h"
#include "halocline/base/count.hpp"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/network.hpp"

#include <mpi.h>

#include <optional>
#include <span>
#include <string>

namespace halocline {

/// The task that the calling process has now. Task t is that of rank t.
struct Task {
  std::span<const double> coordinates;         ///< Where it is in the application, in any units.
  std::span<const int> neighbors = {};         ///< The tasks it sends to; may repeat.
  std::span<const double> message_sizes = {};  ///< One for each neighbour, in any unit; none: all are 1.
};

struct TaskMapOptions {
  std::string network = {};                 ///< As in CartOptions.
  std::string allocation = {};              ///< As in CartOptions.
  std::optional<NodeMapping> mapping = {};  ///< As in CartOptions.
  MPI_Info info = MPI_INFO_NULL;
  Count most_rotations = 4320;  ///< More orders of the dimensions are not tried; below 2^31.
};

struct TaskMap {
  int new_rank;                 ///< The task that the calling process should have.
  double weighted_hops;         ///< Sum over all messages of size times links travelled, if all do so ...
  double weighted_hops_before;  ///< ... and as they are now; both are 0 if nobody has neighbours.
};

/// Maps the tasks of all processes to the nodes of the network by their coordinates, see
/// docs/network.md, so that tasks close to each other are on one node or on nodes close to each
/// other. MPI_Comm_split(comm, 0, new_rank) then is a communicator in which rank t should do task t.
///
/// The rotations of the coordinates are shared out over the processes and the best wins, by WeightedHops or
/// what the mapping aims at; if none is better than the tasks as they are, nothing moves. If no process names
/// neighbours, nothing can be compared and the coordinates are taken as they are. Without a network all nodes
/// are equally far apart.
///
/// Collective; every process holds the coordinates and the messages of all. Throws the same Error on every
/// rank: invalid_dimensions for no coordinates, more than 64, or another number than elsewhere;
/// invalid_argument for one that is not finite, a neighbour that is no rank, sizes that are not positive and
/// finite or not as many as neighbours, most_rotations below 1, or options that differ between ranks;
/// unsupported for 2^31 messages or more; for the network as Cart.
[[nodiscard]] HALOCLINE_API TaskMap map_task(MPI_Comm comm, const Task& task,
                                             const TaskMapOptions& options = {});

}  // namespace halocline
