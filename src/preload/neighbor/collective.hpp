// SPDX-License-Identifier: BSD-3-Clause
// A neighbourhood collective under way, and those who move it.
//
// All that a started one still needs lies with MPI: its messages are posted, and the other processes wait for
// nothing else. What is left is to unpack them when they have come. Open MPI calls us whenever it makes
// progress, whatever the program waits for; with other MPIs the calls that complete requests do it.
#pragma once

#include "preload/neighbor/streamed_comm.hpp"

#include <memory>
#include <vector>

namespace halocline::preload {

/// The program knows it by a request of MPI.
class Collective {
 public:
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  virtual ~Collective();
  /// Is there one, whose request the program may have?
  [[nodiscard]] static bool any() noexcept;

  [[nodiscard]] MPI_Request request() const { return request_; }
  /// Unpacks what has come. True once it is complete; it may be gone then. With `block`, waits for a message.
  /// Called from inside MPI, which must not see exceptions.
  bool advance(bool block = false) noexcept;

 protected:
  /// Its messages are those of this tag. One that lives once is under way from here on.
  Collective(std::shared_ptr<StreamedComm> comm, Form form, Call call, CallBlocks blocks, int tag);

  /// Starts a persistent one. @pre it is not under way
  void restart() noexcept;
  /// To be moved from now on, unless it is complete already.
  void watch();
  [[nodiscard]] bool under_way() const { return !complete_; }
  [[nodiscard]] const std::shared_ptr<StreamedComm>& comm() const { return comm_; }

  /// Completes the request, with that error or none. The last thing that is done.
  virtual void tell(int code) noexcept = 0;

  MPI_Request request_ = MPI_REQUEST_NULL;

 private:
  std::shared_ptr<StreamedComm> comm_;
  CallBlocks blocks_;
  exchange::StreamCall call_;
  int code_ = MPI_SUCCESS;
  bool complete_;
};

/// Is there a way to move them?
[[nodiscard]] bool can_be_pending();

// For calls that complete requests. With Open MPI there is never anything to do.

/// Unpacks what has come for any collective under way.
void advance_pending() noexcept;
/// Waits until it is complete, if the request is that of a collective under way.
void finish_pending(MPI_Request request) noexcept;
/// Is one of the requests that of a collective under way?
[[nodiscard]] bool any_pending(int count, const MPI_Request* requests) noexcept;

}  // namespace halocline::preload
