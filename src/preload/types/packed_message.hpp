// SPDX-License-Identifier: BSD-3-Clause
// A message of a datatype with gaps that is packed outside MPI: what goes over the wire, and how MPI gets it.
#pragma once

#include "exchange/streams/truncation_guard.hpp"
#include "halocline/compile/packer.hpp"
#include "mpi/handles/handle.hpp"

#include <cstddef>
#include <memory>

namespace halocline::preload {

/// The same bytes in the same order as MPI itself would send, so that the other side need not know. With Open
/// MPI there is a gap among them in memory, whoever sends or receives (truncation_guard.hpp). Cheap to copy.
class PackedMessage {
 public:
  PackedMessage() = default;
  /// Local. @pre the packer has at least least_with_gap bytes, and no more than an int counts
  explicit PackedMessage(compile::Packer packer);

  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(packer_.bytes()); }
  /// What the wire takes in memory: gap_bytes more at most.
  [[nodiscard]] std::size_t room() const { return bytes() + (with_gap_ ? exchange::gap_bytes : 0); }
  // What MPI is told of it: MPI_PACKED, which matches every datatype, or the type with the gap.
  [[nodiscard]] int count() const;
  [[nodiscard]] MPI_Datatype type() const { return with_gap_ ? with_gap_->get() : MPI_PACKED; }

  void pack(const std::byte* address, std::byte* wire) const;
  /// As many bytes as `status` counts. @pre the receive of `status` succeeded
  void unpack(const MPI_Status& status, std::byte* wire, std::byte* address) const;

 private:
  compile::Packer packer_;
  std::shared_ptr<const mpi::Datatype> with_gap_;
};

}  // namespace halocline::preload
