// SPDX-License-Identifier: BSD-3-Clause
// Lets MPI go on with whatever it has to do in this process.
#pragma once

#include "mpi/handles/call.hpp"

namespace halocline::exchange {

/// A request that never completes: to test it makes any MPI work on whatever it has to do in this process.
/// (To look for messages would not do: MPICH looks on MPI_COMM_SELF without working, and both stop at once
/// where one waits.) One thread at a time may test it.
class MpiWork {
 public:
  MpiWork();
  MpiWork(const MpiWork&) = delete;
  MpiWork& operator=(const MpiWork&) = delete;
  ~MpiWork();
  void go_on();

 private:
  MPI_Request never_ = MPI_REQUEST_NULL;
};

}  // namespace halocline::exchange
