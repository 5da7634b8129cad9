// SPDX-License-Identifier: BSD-3-Clause
// Checked MPI calls. Every call of the library goes through here, by its PMPI name, in every build type.
#pragma once

#include <mpi.h>

#include <span>

namespace halocline::mpi {

/// Throws Error{mpi} with the text of `code` and the name of the call unless `code` is MPI_SUCCESS.
void check(int code, const char* call);

/// Until all of them are done.
void wait_all(std::span<MPI_Request> requests);

}  // namespace halocline::mpi

/// HALOCLINE_MPI(Comm_rank, comm, &rank) calls PMPI_Comm_rank and checks it.
#define HALOCLINE_MPI(name, ...) ::halocline::mpi::check(PMPI_##name(__VA_ARGS__), "MPI_" #name)
