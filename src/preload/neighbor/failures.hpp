// SPDX-License-Identifier: BSD-3-Clause
// Errors of collectives under way, on their way from the exchange that failed to the call that completes its
// request: that call raises them, on the communicator of the collective and with their own class. MPI cannot
// do it for requests of ours, since it gives no way to complete one with an error of a communicator.
#pragma once

#include "preload/neighbor/streamed_comm.hpp"

#include <memory>
#include <vector>

namespace halocline::preload {

/// The request was completed, or will be, by an exchange that failed.
void add_failure(MPI_Request request, int code, std::shared_ptr<StreamedComm> comm);
/// The request is gone, or was started again.
void drop_failure(MPI_Request request) noexcept;

/// Did a call about several requests fail because of single ones?
[[nodiscard]] bool tells_in_statuses(int code);

/// One call that completes requests. To be made before the call, because MPI forgets handles.
class Raising {
 public:
  Raising(int count, const MPI_Request* requests);

  /// Does it need the statuses of calls about several requests?
  [[nodiscard]] bool watches() const { return !before_.empty(); }

  // After the call: each takes the code that MPI gave, raises what is to be raised, and returns the code for
  // the program.

  /// A call that has completed this request and no other.
  [[nodiscard]] int one(int code, int index = 0) const;
  /// One that has completed all, or tells in `statuses` which ones it has.
  [[nodiscard]] int all(int code, MPI_Status* statuses) const;
  /// One that has completed those, with their statuses in that order.
  [[nodiscard]] int some(int code, int outcount, const int* indices, MPI_Status* statuses) const;

 private:
  std::vector<MPI_Request> before_;  ///< Empty if there is no collective.
};

}  // namespace halocline::preload
