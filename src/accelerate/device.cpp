// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/current_device.hpp"

#include "accelerate/cuda_device.hpp"
#include "accelerate/cuda_driver.hpp"
#include "accelerate/host_device.hpp"
#include "base/fail.hpp"
#include "base/settings.hpp"

#include <cstdlib>
#include <string>
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
    case Kind::of_device: device_->free(memory_); break;
    case Kind::of_pool: device_->free_to_pool(memory_); break;
    case Kind::pinned: device_->free_pinned(memory_); break;
  }
}

bool in_use() { return HostDevice::in_use() || CudaDriver::if_in_use() != nullptr; }

bool in_use_by_others() { return CudaDriver::in_use_but_refused(); }

const std::string& why_by_others() { return CudaDriver::refusal(); }

Device& current_device() {
  const char* const told = std::getenv(settings::device.variable);
  const std::string kind = told == nullptr || *told == '\0' ? "gpu" : told;
  require(kind == "gpu" || kind == "host", settings::device.variable, "=", kind, "; it is gpu or host");
  if (kind == "host" || HostDevice::in_use()) return HostDevice::get();
  return cuda_device(current_cuda());
}

std::optional<DeviceMemory> what_is(const void* address) {
  if (auto found = HostDevice::find(address)) return found;
  return find_cuda(address);
}

}  // namespace halocline::accelerate
