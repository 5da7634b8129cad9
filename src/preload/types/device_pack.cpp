// SPDX-License-Identifier: BSD-3-Clause
#include "preload/types/device_pack.hpp"

#include "accelerate/device/kept_memory.hpp"
#include "accelerate/device/strips.hpp"
#include "accelerate/devices.hpp"
#include "base/numbers.hpp"
#include "preload/types/packers.hpp"
#include "preload/types/whereabouts.hpp"

#include <cstring>

namespace halocline::preload {
namespace {

using accelerate::StripDirection;

struct BothPlaces {
  Whereabouts data, packed;
};

BothPlaces places_of(const PackedElements& elements) {
  return {whereabouts(elements.data, reach_of(elements.compiled.layout(), elements.count)),
          whereabouts(elements.packed, {0, elements.bytes()})};
}

/// MPI's arguments are const on one side or the other.
std::byte* bytes_at(const void* address) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  return static_cast<std::byte*>(const_cast<void*>(address));
}

/// A packed copy that both the host and the device reach.
accelerate::KeptMemory between(accelerate::Device& device, Count bytes) {
  return {device, accelerate::OwnMemory::Kind::pinned, bytes};
}

void move(accelerate::Device& device, StripDirection direction, const PackedElements& elements,
          std::byte* wire) {
  const accelerate::Strip strip{*packer(elements.type, elements.count), bytes_at(elements.data), wire,
                                elements.bytes()};
  accelerate::move_strips(device, direction, {&strip, 1});
}

}  // namespace

WhoCopies who_copies(const PackedElements& elements) {
  if (elements.bytes() == 0) return WhoCopies::host;
  if (!accelerate::in_use()) return accelerate::in_use_by_others() ? WhoCopies::system : WhoCopies::host;
  const auto [data, packed] = places_of(elements);
  if (data.on_host() && packed.on_host()) return WhoCopies::host;
  const bool two = data.device != nullptr && packed.device != nullptr && data.device != packed.device;
  return two || data.out_of_reach || packed.out_of_reach ? WhoCopies::system : WhoCopies::device;
}

void pack_on_device(const PackedElements& elements) {
  const auto [data, packed] = places_of(elements);
  std::byte* const wire = bytes_at(elements.packed);
  if (data.device != nullptr && packed.device != nullptr)
    return move(*data.device, StripDirection::pack, elements, wire);
  accelerate::Device& device = data.device != nullptr ? *data.device : *packed.device;
  const accelerate::KeptMemory copy = between(device, elements.bytes());
  if (data.device != nullptr) {
    move(device, StripDirection::pack, elements, copy.get());
    std::memcpy(wire, copy.get(), to_size(elements.bytes()));
  } else {
    elements.compiled.pack(bytes_at(elements.data), elements.count, copy.get());
    accelerate::copy_now(device, wire, copy.get(), elements.bytes());
  }
}

void unpack_on_device(const PackedElements& elements) {
  const auto [data, packed] = places_of(elements);
  std::byte* const wire = bytes_at(elements.packed);
  if (data.device != nullptr && packed.device != nullptr)
    return move(*data.device, StripDirection::unpack, elements, wire);
  accelerate::Device& device = data.device != nullptr ? *data.device : *packed.device;
  const accelerate::KeptMemory copy = between(device, elements.bytes());
  if (data.device != nullptr) {
    std::memcpy(copy.get(), wire, to_size(elements.bytes()));
    move(device, StripDirection::unpack, elements, copy.get());
  } else {
    accelerate::copy_now(device, copy.get(), wire, elements.bytes());
    elements.compiled.unpack(copy.get(), bytes_at(elements.data), elements.count);
  }
}

}  // namespace halocline::preload
