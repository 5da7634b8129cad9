// SPDX-License-Identifier: BSD-3-Clause
// What is done for programs that know nothing of us: the one place that decides it.
//
// Between nodes their collectives go by the schedule "direct", always. A call of theirs may wait for nobody
// but neighbours, since a process without edges need not call at all; who sends the blocks of others on would
// have to be there. So there is nothing to choose.
#pragma once

#include "halocline/base/count.hpp"
#include "plan/transport/transport_choice.hpp"

namespace halocline::plan {

/// The runs of a message, or of a block of a collective, as the program has them in memory.
struct RunsInMemory {
  Count bytes, runs;
  Count terms;  ///< Of their canonical form: how irregular they are.
};

/// Why a message from process to process is left to MPI as it is; null if it is packed for MPI. Of MPI it is
/// known (bench/preload/point_to_point.c) that it copies long blocks as fast, without a copy between, and
/// packs long messages into fragments that are under way while it packs the next.
[[nodiscard]] const char* why_left_to_mpi(const RunsInMemory& message);

/// The same of a message that lies on a device, which MPI copies from there block by block, or not at all.
[[nodiscard]] const char* why_left_to_mpi_on_device(const RunsInMemory& message);

/// Is a block of a collective best handed to an MPI that copies long runs without a buffer between, and packs
/// long messages in pieces (bench/preload/long_runs.c)?
[[nodiscard]] bool is_moved_well_by_mpi(const RunsInMemory& block);

/// The channel to each of so many neighbours on the node: what comes in one call after the other goes through
/// it, of any length.
[[nodiscard]] Chunks choose_stream_chunks(Count neighbours);

}  // namespace halocline::plan
