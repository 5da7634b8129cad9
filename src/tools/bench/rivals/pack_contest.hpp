// SPDX-License-Identifier: BSD-3-Clause
// MPI_Pack beside our packers, on datatypes that stencil codes use.
#pragma once

#include "mpi/handles/handle.hpp"

#include <span>
#include <string_view>

namespace halocline::tools {

/// A part of a cube of side^3 doubles.
struct PackPattern {
  std::string_view name;
  std::string_view meaning;
  mpi::Datatype (*make)(int side);  ///< Committed.
};

/// From contiguous to scattered.
[[nodiscard]] std::span<const PackPattern> pack_patterns();

struct PackTimes {
  double ours_seconds, mpi_seconds;  ///< Processor time of one pack: medians over batches.
  double ratio;                      ///< MPI's time over ours: the median of those of neighbouring batches.
  int packed_bytes;
  bool same_bytes;  ///< Both packed the same.
};

/// Packs the type out of a cube in turns, for about `budget_seconds`. Local.
[[nodiscard]] PackTimes pack_times(MPI_Comm comm, MPI_Datatype type, int side, double budget_seconds);

}  // namespace halocline::tools
