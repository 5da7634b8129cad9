// SPDX-License-Identifier: BSD-3-Clause
// Where errors of a communicator go: to the handler that it has when they are raised, also after the program
// has freed it.
#pragma once

#include "mpi/handles/handle.hpp"

namespace halocline::preload {

/// Local, some nanoseconds.
[[nodiscard]] bool errors_are_fatal(MPI_Comm comm) noexcept;

/// Of one communicator of the program. The program may set another handler whenever it likes, on one process
/// alone: nothing here is told to other processes or known of them.
class CommErrors {
 public:
  explicit CommErrors(MPI_Comm comm) : comm_(comm) {}

  /// Does this process end with an error on the communicator, as things are now? Local, some nanoseconds.
  [[nodiscard]] bool are_fatal() const noexcept;
  /// The program is about to free the communicator. The handler stays that of this moment: what is under way
  /// needs it, as it would need the communicator itself.
  void comm_goes() noexcept;
  /// Calls the handler. It gets `stand_in`, a communicator of ours that returns errors, where the program has
  /// freed its own.
  void raise(int code, MPI_Comm stand_in) const noexcept;

 private:
  MPI_Comm comm_;             ///< Null once it is gone.
  mpi::Errhandler last_one_;  ///< What it had then.
};

}  // namespace halocline::preload
