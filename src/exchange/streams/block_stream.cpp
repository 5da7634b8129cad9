// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/streams/block_stream.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "compile/kernels/address.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/call.hpp"

#include <cstring>
#include <limits>
#include <utility>

namespace halocline::exchange {
namespace {

/// What is sent is only read.
std::byte* written(const void* address) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  return static_cast<std::byte*>(const_cast<void*>(address));
}

Count size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  HALOCLINE_MPI(Type_size_x, type, &size);
  return size;
}

/// MPI packs at most what an int counts: one element at a time, where it must.
template <class Convert>
void by_elements(std::byte* address, Count count, MPI_Datatype type, const Convert& convert) {
  const Count size = size_of(type);
  MPI_Count lb = 0, extent = 0;
  HALOCLINE_MPI(Type_get_extent_x, type, &lb, &extent);
  require(size <= std::numeric_limits<int>::max(), "an element of ", size, " bytes");
  for (Count i = 0; i < count; ++i) convert(compile::at(address, i * extent), i * size, to_int(size));
}

}  // namespace

BlockStream::BlockStream(const void* address, compile::Packer packer, const std::optional<InPlace>& in_place)
    : address_(written(address)), bytes_(packer.bytes()), in_place_(in_place), packer_(std::move(packer)) {
  if (const auto whole = packer_->contiguous()) contiguous_ = compile::at(address_, whole->offset);
}

BlockStream::BlockStream(const void* address, Count count, MPI_Datatype type)
    : address_(written(address)), count_(count), bytes_(checked_multiply(size_of(type), count)) {
  // Not a duplicate: that would call the program's functions for its attributes.
  HALOCLINE_MPI(Type_contiguous, 1, type, type_.put());
  HALOCLINE_MPI(Type_commit, type_.put());
  staged_ = std::make_unique_for_overwrite<std::byte[]>(to_size(bytes_));
}

void BlockStream::pack_by_mpi() {
  by_elements(address_, count_, type_.get(), [&](std::byte* element, Count at, int size) {
    int position = 0;
    HALOCLINE_MPI(Pack, element, 1, type_.get(), staged_.get() + at, size, &position, MPI_COMM_SELF);
  });
}

void BlockStream::pack(std::byte* wire, Count first, Count bytes) {
  if (bytes == 0) return;
  if (packer_ && first == 0 && bytes == bytes_) return packer_->pack(address_, wire);
  if (packer_) return packer_->pack(address_, wire, first, bytes);
  if (first == 0 && staged_) pack_by_mpi();
  std::memcpy(wire, together() + first, to_size(bytes));
}

void BlockStream::unpack(const std::byte* wire, Count first, Count bytes) {
  if (bytes == 0) return;
  if (packer_ && first == 0 && bytes == bytes_) return packer_->unpack(wire, address_);
  if (packer_) return packer_->unpack(wire, address_, first, bytes);
  std::memcpy(together() + first, wire, to_size(bytes));
}

void BlockStream::finish(Count received) {
  received_ = received;
  if (!staged_ || bytes_ == 0) return;
  const Count size = size_of(type_.get());
  const Count whole = size == 0 ? 0 : received / size;
  by_elements(address_, whole, type_.get(), [&](std::byte* element, Count at, int bytes) {
    int position = 0;
    HALOCLINE_MPI(Unpack, staged_.get() + at, bytes, &position, element, 1, type_.get(), MPI_COMM_SELF);
  });
}

}  // namespace halocline::exchange
