// SPDX-License-Identifier: BSD-3-Clause
// MPI for the length of a command that runs under a launcher.
#pragma once

#include <optional>
#include <string>

namespace halocline::tools {

/// Was this program started by an MPI launcher (or a scheduler's) as one of several processes?
[[nodiscard]] bool launched_by_mpi();

/// Is this the process of a job that speaks for all before MPI is initialized? Rank 0 by what its launcher
/// tells, and a process that was not launched.
[[nodiscard]] bool first_of_job();

/// Name and version of the MPI library, on one line.
[[nodiscard]] std::string mpi_vendor();

/// From MPI_Init to MPI_Finalize, with errors returned instead of fatal; for several threads if
/// HALOCLINE_PROGRESS asks for one.
class MpiSession {
 public:
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
};

/// MPI for a command that may run without a launcher, too: as a job of one process, as long as this lives.
class MpiAnyway {
 public:
  MpiAnyway() {
    if (!launched_by_mpi()) alone_.emplace();
  }

 private:
  std::optional<MpiSession> alone_;  ///< None where the program has begun it.
};

}  // namespace halocline::tools
