// SPDX-License-Identifier: BSD-3-Clause
// How often a request is started, and by which functions.
#pragma once

#include <mpi.h>

namespace halocline::exchange {

enum class Life { once, persistent };

/// What starts, completes and frees requests of streams. A library that stands in front of MPI would meet
/// itself behind these names: it says what is there instead.
struct RequestCalls {
  decltype(&PMPI_Start) start = PMPI_Start;
  decltype(&PMPI_Testsome) testsome = PMPI_Testsome;
  decltype(&PMPI_Waitsome) waitsome = PMPI_Waitsome;
  decltype(&PMPI_Waitall) waitall = PMPI_Waitall;
  decltype(&PMPI_Request_free) request_free = PMPI_Request_free;
};

}  // namespace halocline::exchange
