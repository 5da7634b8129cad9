// SPDX-License-Identifier: BSD-3-Clause
#include "preload/types/packed_message.hpp"

#include "accelerate/device/strips.hpp"
#include "base/numbers.hpp"

namespace halocline::preload {

PackedMessage::PackedMessage(compile::Packer packer) : packer_(std::move(packer)) {
  if constexpr (exchange::writes_beyond_the_end)
    with_gap_ = std::make_shared<const mpi::Datatype>(exchange::type_with_gap(packer_.bytes()));
}

int PackedMessage::count(const WirePlace& place) const {
  return has_gap(place) ? 1 : to_int(packer_.bytes());
}

void PackedMessage::pack(const std::byte* address, const WirePlace& place) const {
  if (place.device == nullptr) {
    packer_.pack(address, place.wire);
  } else {
    // What is sent is only read. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    const accelerate::Strip strip{packer_, const_cast<std::byte*>(address), place.wire, packer_.bytes()};
    accelerate::move_strips(*place.device, accelerate::StripDirection::pack, {&strip, 1});
  }
  if (has_gap(place)) exchange::open_gap(place.wire, packer_.bytes());
}

void PackedMessage::unpack_first(Count bytes, const WirePlace& place, std::byte* address) const {
  if (place.device != nullptr) {
    const accelerate::Strip strip{packer_, address, place.wire, bytes};
    accelerate::move_strips(*place.device, accelerate::StripDirection::unpack, {&strip, 1});
  } else if (bytes == packer_.bytes()) {
    packer_.unpack(place.wire, address);
  } else {
    packer_.unpack(place.wire, address, 0, bytes);
  }
}

void PackedMessage::unpack(const MPI_Status& status, const WirePlace& place, std::byte* address) const {
  int came = 0;
  PMPI_Get_count(&status, MPI_BYTE, &came);
  if (came <= 0 || came > packer_.bytes()) return;
  // Of fewer elements than there is room for, none lies behind the gap.
  if (has_gap(place) && came == packer_.bytes()) exchange::close_gap(place.wire, packer_.bytes());
  unpack_first(came, place, address);
}

}  // namespace halocline::preload
