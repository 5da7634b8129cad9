// SPDX-License-Identifier: BSD-3-Clause
// Messages of datatypes with gaps, packed by us on their way to MPI or from it.
#pragma once

#include "preload/types/packed_message.hpp"

#include <mpi.h>

#include <cstddef>
#include <optional>

namespace halocline::preload {

/// `count` elements of a datatype at an address, in a buffer of this thread instead where that is faster. One
/// message at a time and thread has each buffer: whoever calls MPI from inside MPI (an error handler, say)
/// gets none.
class WireBuffer {
 public:
  enum class Use { send, receive };

  /// Takes the buffer if the message is one that should be packed: see packed_message(). Otherwise the
  /// arguments stay what they are. Local.
  WireBuffer(Use use, const void* address, int count, MPI_Datatype type, int peer, MPI_Comm comm) noexcept;
  WireBuffer(const WireBuffer&) = delete;
  WireBuffer& operator=(const WireBuffer&) = delete;
  ~WireBuffer();

  [[nodiscard]] bool in_use() const { return wire_ != nullptr; }
  /// Why it is not, in a literal.
  [[nodiscard]] const char* why_not() const { return why_not_; }

  // What MPI gets.
  [[nodiscard]] void* address() const { return in_use() ? wire_ : address_; }
  [[nodiscard]] int count() const { return in_use() ? message_->count() : count_; }
  [[nodiscard]] MPI_Datatype type() const { return in_use() ? message_->type() : type_; }

  /// What came goes to where the program wants it. @pre in_use(); the receive of `status` succeeded
  void unpack(const MPI_Status& status) const { message_->unpack(status, wire_, address_); }

 private:
  Use use_;
  std::byte* address_;
  int count_;
  MPI_Datatype type_;
  const char* why_not_ = "out of memory";
  std::byte* wire_ = nullptr;
  std::optional<PackedMessage> message_;
};

}  // namespace halocline::preload
