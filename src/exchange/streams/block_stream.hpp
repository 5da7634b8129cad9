// SPDX-License-Identifier: BSD-3-Clause
// One block of a call: some elements of a datatype at an address, as a stream of bytes.
#pragma once

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
  /// Packed by MPI, in one piece: for datatypes that our packers refuse. @pre MPI takes the datatype
  BlockStream(const void* address, Count count, MPI_Datatype type);

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

 private:
  void pack_by_mpi();

  std::byte* address_ = nullptr;
  Count count_ = 0;
  Count bytes_ = 0;
  std::byte* contiguous_ = nullptr;
  std::optional<InPlace> in_place_;
  std::optional<compile::Packer> packer_;
  // If MPI packs:
  mpi::Datatype type_;
  std::unique_ptr<std::byte[]> staged_;  ///< The stream.
};

}  // namespace halocline::exchange
