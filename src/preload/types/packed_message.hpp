// SPDX-License-Identifier: BSD-3-Clause
// A message of a datatype with gaps that is packed outside MPI: what goes over the wire, and how MPI gets it.
#pragma once

#include "accelerate/device/device.hpp"
#include "base/numbers.hpp"
#include "exchange/streams/truncation_guard.hpp"
#include "halocline/compile/packer.hpp"
#include "mpi/handles/handle.hpp"

#include <cstddef>
#include <memory>

namespace halocline::preload {

/// Memory for packed bytes, and who copies to it.
struct WirePlace {
  std::byte* wire = nullptr;
  accelerate::Device* device = nullptr;  ///< That the program's memory lies on; null if that is the host's.
  bool on_device = false;                ///< Does the wire lie there, too? If not, the device reaches it.
};

/// The same bytes in the same order as MPI itself would send, so that the other side need not know. With Open
/// MPI there is a gap among them in memory, whoever sends or receives (truncation_guard.hpp), but for memory
/// of a device, where it would be a second copy. Cheap to copy.
class PackedMessage {
 public:
  PackedMessage() = default;
  /// Local. @pre the packer has at least least_with_gap bytes, and no more than an int counts
  explicit PackedMessage(compile::Packer packer);

  [[nodiscard]] std::size_t bytes() const { return to_size(packer_.bytes()); }
  /// What the wire takes in memory: gap_bytes more at most.
  [[nodiscard]] std::size_t room() const { return bytes() + (with_gap_ ? exchange::gap_bytes : 0); }
  // What MPI is told of it: MPI_PACKED, which matches every datatype, or the type with the gap.
  [[nodiscard]] int count(const WirePlace& place) const;
  [[nodiscard]] MPI_Datatype type(const WirePlace& place) const {
    return has_gap(place) ? with_gap_->get() : MPI_PACKED;
  }

  /// Throws Error where a device refuses, and nothing else does.
  void pack(const std::byte* address, const WirePlace& place) const;
  /// As many bytes as `status` counts. Throws as pack(). @pre the receive of `status` succeeded
  void unpack(const MPI_Status& status, const WirePlace& place, std::byte* address) const;

 private:
  [[nodiscard]] bool has_gap(const WirePlace& place) const { return with_gap_ && !place.on_device; }
  void unpack_first(Count bytes, const WirePlace& place, std::byte* address) const;

  compile::Packer packer_;
  std::shared_ptr<const mpi::Datatype> with_gap_;
};

}  // namespace halocline::preload
