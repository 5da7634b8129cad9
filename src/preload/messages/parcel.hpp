// SPDX-License-Identifier: BSD-3-Clause
// The message of a request, packed by us: the request is MPI's own, on the packed bytes, and a parcel is what
// has to live as long. Cancelling, freeing and statuses are MPI's.
#pragma once

#include "accelerate/device/kept_memory.hpp"
#include "exchange/memory/kept_buffer.hpp"
#include "preload/types/packers.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace halocline::preload {

class Parcel {
 public:
  enum class Use { send, receive };

  /// For what lies at an address, or will, in messages of a communicator. Throws std::bad_alloc; as Device.
  Parcel(Use use, const void* address, MessageToPack message, MPI_Comm comm);
  Parcel(const Parcel&) = delete;
  Parcel& operator=(const Parcel&) = delete;
  ~Parcel();

  // What MPI gets.
  [[nodiscard]] std::byte* wire() const { return place_.wire; }
  [[nodiscard]] int count() const { return message_.count(place_); }
  [[nodiscard]] MPI_Datatype type() const { return message_.type(place_); }
  [[nodiscard]] Use use() const { return use_; }

  /// From the program's memory to the wire. Throws Error where a device refuses.
  void pack() const { message_.pack(address_, place_); }
  /// What came goes to where the program wants it; nothing if the receive was cancelled. A device that
  /// refuses is an error of MPI_COMM_WORLD, and the end of a program that would go on without its data. @pre
  /// it did not fail
  void unpack(const MPI_Status& status) const noexcept;

  // For those who keep parcels: kept_parcels.hpp.
  MPI_Request request = MPI_REQUEST_NULL;
  std::uint64_t serial = 0;  ///< MPI gives handles again; a parcel is known by both.
  Parcel* next = nullptr;
  bool persistent = false;
  bool awaited = false;  ///< A receive under way that was not unpacked yet.

 private:
  PackedMessage message_;
  std::byte* address_;
  exchange::KeptBuffer of_host_;
  accelerate::KeptMemory of_device_;
  WirePlace place_;
  Use use_;
};

using ParcelPtr = std::unique_ptr<Parcel>;

/// A parcel for `count` elements at an address; null where MPI should have the message as it is: see
/// packed_message(); also where threads call MPI at once, and where parcels have taken too much memory. Then
/// `why_not` says which. @pre MPI is initialised
[[nodiscard]] ParcelPtr parcel_for(Parcel::Use use, const void* address, int count, MPI_Datatype type,
                                   int peer, MPI_Comm comm, const char*& why_not) noexcept;

}  // namespace halocline::preload
