// SPDX-License-Identifier: BSD-3-Clause
// Where the fields of a command lie: in memory of the host, or on the devices of a job.
#pragma once

#include "accelerate/device/device.hpp"
#include "tools/common/options.hpp"

#include <mpi.h>

#include <string>

namespace halocline::tools {

/// --memory.
class MemoryWords {
 public:
  void declare(Options& options, const std::string& of_what);
  /// Throws Error{invalid_argument} for a word that is none.
  [[nodiscard]] bool on_device() const;
  /// How it is allocated there. @pre on_device()
  [[nodiscard]] accelerate::OwnMemory::Kind kind() const;
  [[nodiscard]] const std::string& word() const { return memory_; }

 private:
  std::string memory_ = "host";
};

/// The GPU of this process: those of a node are shared out among its ranks. If there are processes that see
/// none, the host's processor plays the device of all. Throws the same Error on every rank if a GPU cannot be
/// used. Collective.
[[nodiscard]] accelerate::Device& device_of_job(MPI_Comm comm);

/// Does the service of NVIDIA run here that lets processes use a GPU at the same time (MPS)? Without it they
/// take turns, and times are those of the turns.
[[nodiscard]] bool mps_runs();
/// For the heading of a table: the device, and for a GPU whether processes can use it at the same time.
[[nodiscard]] std::string told_of(const accelerate::Device& device);

}  // namespace halocline::tools
