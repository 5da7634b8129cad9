// SPDX-License-Identifier: BSD-3-Clause
// Messages of datatypes with gaps, packed by us on their way to MPI or from it.
#pragma once

#include "accelerate/device/kept_memory.hpp"
#include "preload/types/packed_message.hpp"

#include <mpi.h>

#include <cstddef>

namespace halocline::preload {

/// Memory for a message that a device packs: its own where MPI takes it from there, and an error ends the
/// program before anything behind its end is used (truncation_guard.hpp); pinned otherwise. Throws as Device.
[[nodiscard]] accelerate::KeptMemory wire_for(accelerate::Device& device, const PackedMessage& message,
                                              MPI_Comm comm, WirePlace& place);

/// `count` elements of a datatype at an address, in a buffer of this thread, or of the device that they lie
/// on, instead where that is faster. One message at a time and thread has each buffer of the host: whoever
/// calls MPI from inside MPI (an error handler, say) gets none.
class WireBuffer {
 public:
  enum class Use { send, receive };

  /// Takes the buffer if the message is one that should be packed: see packed_message(). Otherwise the
  /// arguments stay what they are. Local.
  WireBuffer(Use use, const void* address, int count, MPI_Datatype type, int peer, MPI_Comm comm) noexcept;
  WireBuffer(const WireBuffer&) = delete;
  WireBuffer& operator=(const WireBuffer&) = delete;
  ~WireBuffer() { leave(); }

  [[nodiscard]] bool in_use() const { return place_.wire != nullptr; }
  /// Why it is not, in a literal.
  [[nodiscard]] const char* why_not() const { return why_not_; }

  // What MPI gets.
  [[nodiscard]] void* address() const { return in_use() ? place_.wire : address_; }
  [[nodiscard]] int count() const { return in_use() ? message_.count(place_) : count_; }
  [[nodiscard]] MPI_Datatype type() const { return in_use() ? message_.type(place_) : type_; }

  /// What came goes to where the program wants it. Throws Error where a device refuses. @pre in_use(); the
  /// receive of `status` succeeded
  void unpack(const MPI_Status& status) const { message_.unpack(status, place_, address_); }

 private:
  void leave() noexcept;

  Use use_;
  std::byte* address_;
  int count_;
  MPI_Datatype type_;
  const char* why_not_ = "out of memory";
  accelerate::KeptMemory of_device_;
  WirePlace place_;
  PackedMessage message_;
};

}  // namespace halocline::preload
