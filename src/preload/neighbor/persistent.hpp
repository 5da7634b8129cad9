// SPDX-License-Identifier: BSD-3-Clause
// Persistent neighbourhood collectives.
//
// The request that the program has is a receive of nothing from the process itself: it is started, tested and
// freed by MPI's own rules, in any list of requests. What completes it is a message that the process sends to
// itself once the exchange is complete. If that failed, the call that completes the request says so:
// failures.hpp.
#pragma once

#include "preload/neighbor/collective.hpp"

#include <cstdint>

namespace halocline::preload {

class Persistent final : public Collective {
 public:
  /// Makes one, which belongs to its request from now on. `number` is one of the communicator, the same on
  /// all neighbours: processes may start their collectives in different orders. Throws Error{mpi}.
  [[nodiscard]] static MPI_Request make(std::shared_ptr<StreamedComm> comm, Call call, CallBlocks blocks,
                                        int number);
  /// That of a request; null if it is another one. Local, a look-up.
  [[nodiscard]] static Persistent* find(MPI_Request request) noexcept;

  /// How often it was started.
  [[nodiscard]] std::uint64_t starts() const { return starts_; }
  /// MPI has started the request.
  void begin() noexcept;

  /// The program has freed the request of a collective under way. True if there is one: it stays until it is
  /// complete, and the request with it.
  [[nodiscard]] bool outlive_request() noexcept;
  /// The request is gone, and the collective with it.
  static void forget(MPI_Request request) noexcept;

 private:
  Persistent(std::shared_ptr<StreamedComm> comm, Call call, CallBlocks blocks, int number);
  void tell(int code) noexcept override;

  int number_;
  std::uint64_t starts_ = 0;
  bool is_freed_ = false;
};

}  // namespace halocline::preload
