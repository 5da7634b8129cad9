// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking neighbourhood collectives, as requests of MPI that the program waits for by any of MPI's
// calls.
#pragma once

#include "preload/neighbor/streamed_comm.hpp"

#include <memory>
#include <vector>

namespace halocline::preload {

/// Starts what exchange_now() does, and returns at once. Throws Error{mpi}. @pre can_be_pending()
[[nodiscard]] MPI_Request begin(std::shared_ptr<StreamedComm> comm, Call call, CallBlocks blocks);

}  // namespace halocline::preload
