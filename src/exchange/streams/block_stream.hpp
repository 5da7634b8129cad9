// SPDX-License-Identifier: BSD-3-Clause
// One block of a call: some elements of a datatype at an address, as a stream of bytes.
#pragma once

#include "accelerate/device/device.hpp"
#include "halocline/compile/packer.hpp"
#include "mpi/handles/handle.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>

namespace halocline::exchange {

/// The stream is that of the packed elements. The program may free its datatype while there is a stream of
/// it.
class BlockStream {
 public:
  /// The block as MPI moves it well by itself. The datatype is the program's.
  struct InPlace {
    std::byte* address;
    int count;
    MPI_Datatype type;
  };

  /// Of nothing.
  BlockStream() = default;
  /// What the packer packs there, or what should not be packed but left in its place.
  BlockStream(const void* address, compile::Packer packer, const std::optional<InPlace>& in_place = {});
  /// So many bytes that lie together.
  BlockStream(std::byte* memory, Count bytes) : address_(memory), bytes_(bytes), contiguous_(memory) {}
  /// Packed by MPI, in one piece: for datatypes that our packers refuse. @pre MPI takes the datatype
  BlockStream(const void* address, Count count, MPI_Datatype type);

  /// Its bytes lie on a device: what stands for them on the host is to take its place.
  void put_on(accelerate::Device& device) { device_ = &device; }
  [[nodiscard]] accelerate::Device* device() const { return device_; }
  /// How a device packs it, and where. @pre device()
  [[nodiscard]] const compile::Packer& packer() const { return *packer_; }
  [[nodiscard]] std::byte* address() const { return address_; }

  [[nodiscard]] Count bytes() const { return bytes_; }
  /// Where the bytes lie one behind the other, if they do; nothing has to be packed then.
  [[nodiscard]] std::byte* contiguous() const { return contiguous_; }
  /// None where it should be packed.
  [[nodiscard]] const std::optional<InPlace>& in_place() const { return in_place_; }

  /// Bytes [first, first + bytes) of the stream; the wire begins with the first of them.
  void pack(std::byte* wire, Count first, Count bytes);
  void unpack(const std::byte* wire, Count first, Count bytes);
  /// To be called when no more of a stream comes, which had so many bytes.
  void finish(Count received);
  /// The bytes of the last one that was finished.
  [[nodiscard]] Count received() const { return received_; }

 private:
  void pack_by_mpi();
  /// The stream, where no packer makes it.
  [[nodiscard]] std::byte* together() const { return staged_ ? staged_.get() : contiguous_; }

  std::byte* address_ = nullptr;
  Count count_ = 0;
  Count bytes_ = 0;
  Count received_ = 0;
  std::byte* contiguous_ = nullptr;
  accelerate::Device* device_ = nullptr;
  std::optional<InPlace> in_place_;
  std::optional<compile::Packer> packer_;
  // If MPI packs:
  mpi::Datatype type_;
  std::unique_ptr<std::byte[]> staged_;  ///< The stream.
};

}  // namespace halocline::exchange
