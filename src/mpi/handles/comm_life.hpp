// SPDX-License-Identifier: BSD-3-Clause
// Does a communicator of the program still live? A sign hangs on it and goes when it is freed.
#pragma once

#include "mpi/handles/attribute_cache.hpp"

#include <memory>

namespace halocline::mpi {

/// Watches one communicator and no other: a duplicate has a sign of its own, and a handle that MPI gives away
/// again is not taken for the old communicator.
class CommLife {
 public:
  /// Local.
  explicit CommLife(MPI_Comm comm) : comm_(comm) {
    if (!Signs::find(comm)) Signs::keep(comm, std::make_shared<const Sign>());
    sign_ = Signs::find(comm);
  }

  [[nodiscard]] bool ended() const { return sign_.expired(); }
  /// The communicator as long as it lives, MPI_COMM_NULL afterwards.
  [[nodiscard]] MPI_Comm comm() const { return ended() ? MPI_COMM_NULL : comm_; }

 private:
  struct Sign {};
  using Signs = AttributeCache<CommAttributes, Sign, Duplicates::have_none>;

  MPI_Comm comm_;
  std::weak_ptr<const Sign> sign_;
};

}  // namespace halocline::mpi
