// SPDX-License-Identifier: BSD-3-Clause
#include "preload/types/packed_message.hpp"

namespace halocline::preload {

PackedMessage::PackedMessage(compile::Packer packer) : packer_(std::move(packer)) {
  if constexpr (exchange::writes_beyond_the_end)
    with_gap_ = std::make_shared<const mpi::Datatype>(exchange::type_with_gap(packer_.bytes()));
}

int PackedMessage::count() const { return with_gap_ ? 1 : static_cast<int>(packer_.bytes()); }

void PackedMessage::pack(const std::byte* address, std::byte* wire) const {
  packer_.pack(address, wire);
  if (with_gap_) exchange::open_gap(wire, packer_.bytes());
}

void PackedMessage::unpack(const MPI_Status& status, std::byte* wire, std::byte* address) const {
  int came = 0;
  PMPI_Get_count(&status, MPI_BYTE, &came);
  if (came == packer_.bytes()) {
    if (with_gap_) exchange::close_gap(wire, packer_.bytes());
    packer_.unpack(wire, address);
  } else if (came > 0 && came < packer_.bytes()) {  // fewer elements than there is room for
    packer_.unpack(wire, address, 0, came);
  }
}

}  // namespace halocline::preload
