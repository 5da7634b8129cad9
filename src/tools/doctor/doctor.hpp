// SPDX-License-Identifier: BSD-3-Clause
// What halocline doctor is made of: examinations of the MPI of this job, each with one verdict.
#pragma once

#include <mpi.h>

#include <span>
#include <string>

namespace halocline::tools {

enum class Verdict {
  ok,
  wrong,      ///< Other results than the standard asks for.
  slow,       ///< Right, and Halocline does it in less time or with fewer messages.
  absent,     ///< Not offered here.
  not_asked,  ///< The job has too few processes to tell.
};

struct Finding {
  Verdict verdict;
  std::string found;        ///< What the MPI of this job does, with numbers.
  std::string remedy = {};  ///< What Halocline does about it; empty if there is nothing to do.
};

struct Examination {
  const char* name;  ///< Stable: the key in the JSON answer.
  int least_ranks;   ///< With fewer processes it is not run.
  /// Collective over `comm`, a communicator of its own; what it returns on rank 0 counts.
  Finding (*examine)(MPI_Comm comm);
};

/// All of them, in the order of the report.
[[nodiscard]] std::span<const Examination> examinations();

// surroundings.cpp
[[nodiscard]] Finding examine_version(MPI_Comm comm);
[[nodiscard]] Finding examine_nodes(MPI_Comm comm);
[[nodiscard]] Finding examine_binding(MPI_Comm comm);
[[nodiscard]] Finding examine_oversubscription(MPI_Comm comm);
[[nodiscard]] Finding examine_shared_memory(MPI_Comm comm);
[[nodiscard]] Finding examine_code_generator(MPI_Comm comm);
[[nodiscard]] Finding examine_persistent_collectives(MPI_Comm comm);
// devices.cpp
[[nodiscard]] Finding examine_gpu(MPI_Comm comm);
[[nodiscard]] Finding examine_gpu_sharing(MPI_Comm comm);
[[nodiscard]] Finding examine_gpu_in_mpi(MPI_Comm comm);
// topologies.cpp
[[nodiscard]] Finding examine_reorder(MPI_Comm comm);
[[nodiscard]] Finding examine_dims(MPI_Comm comm);
// neighbours.cpp
[[nodiscard]] Finding examine_sides_of_one(MPI_Comm comm);
[[nodiscard]] Finding examine_sides_of_two(MPI_Comm comm);
[[nodiscard]] Finding examine_open_borders(MPI_Comm comm);
[[nodiscard]] Finding examine_doubled_edges(MPI_Comm comm);
// data.cpp
[[nodiscard]] Finding examine_stride_of_minus_one(MPI_Comm comm);
[[nodiscard]] Finding examine_empty_members(MPI_Comm comm);
[[nodiscard]] Finding examine_negative_extents(MPI_Comm comm);
[[nodiscard]] Finding examine_unsigned_minimum(MPI_Comm comm);
// speed.cpp
[[nodiscard]] Finding examine_pack_speed(MPI_Comm comm);
[[nodiscard]] Finding examine_collective_speed(MPI_Comm comm);

/// Is it so on any process? Collective.
[[nodiscard]] bool anywhere(MPI_Comm comm, bool here);

/// Of a number that each process has. Collective.
struct Extremes {
  int least, most;
};
[[nodiscard]] Extremes extremes(MPI_Comm comm, int mine);
/// "4", or "2 to 4".
[[nodiscard]] std::string from_to(const Extremes& range);

}  // namespace halocline::tools
