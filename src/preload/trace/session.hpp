// SPDX-License-Identifier: BSD-3-Clause
// From MPI_Init to MPI_Finalize: when there is something to record, and what becomes of it.
#pragma once

#include "preload/trace/recorder.hpp"

namespace halocline::recorder {

/// This process's recorder; null before MPI_Init, after MPI_Finalize began, and where nothing is recorded:
/// in spawned processes and in programs of another MPI.
[[nodiscard]] Recorder* recording();

/// MPI was initialized. Once is enough.
void begin();
/// The first thing in MPI_Finalize: rank 0 writes the file. Collective on the world.
void finish();
/// The program is about to end in some other way: leaves the part of this process, if parts are kept.
void leave_part();

/// Nothing more is recorded, and that is said once.
void give_up(const char* why);

}  // namespace halocline::recorder
