// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/device/device.hpp"

#include <utility>

namespace halocline::accelerate {

std::shared_ptr<std::byte> Device::opened(const MemoryHandle& handle) {
  std::weak_ptr<std::byte>& known = opened_[handle];
  if (std::shared_ptr<std::byte> memory = known.lock()) return memory;
  std::byte* const base = open(handle);
  if (base == nullptr) return nullptr;
  std::shared_ptr<std::byte> memory(base, [this](std::byte* its_base) { close(its_base); });
  known = memory;
  return memory;
}

OwnMemory::OwnMemory(Device& device, Kind kind, Count bytes) : device_(&device), kind_(kind) {
  if (bytes == 0) return;
  switch (kind) {
    case Kind::of_device:
      memory_ = device.allocate(bytes);
      return;
    case Kind::of_pool:
      memory_ = device.allocate_from_pool(bytes);
      return;
    case Kind::pinned:
      memory_ = device.allocate_pinned(bytes);
      return;
  }
}

OwnMemory::OwnMemory(OwnMemory&& other) noexcept
    : device_(other.device_), kind_(other.kind_), memory_(std::exchange(other.memory_, nullptr)) {}

OwnMemory& OwnMemory::operator=(OwnMemory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(kind_, other.kind_);
  std::swap(memory_, other.memory_);
  return *this;
}

OwnMemory::~OwnMemory() {
  if (memory_ == nullptr) return;
  switch (kind_) {
    case Kind::of_device:
      device_->free(memory_);
      break;
    case Kind::of_pool:
      device_->free_to_pool(memory_);
      break;
    case Kind::pinned:
      device_->free_pinned(memory_);
      break;
  }
}

}  // namespace halocline::accelerate
