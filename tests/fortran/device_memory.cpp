// What a Fortran program does by its compiler's means for GPUs: memory of a device, and copies. The host's
// processor plays the device.

#include "accelerate/host/host_device.hpp"

#include <cstdint>

namespace {

using halocline::accelerate::HostDevice;

}  // namespace

extern "C" {

void* tests_device_memory(std::int64_t bytes) { return HostDevice::get().allocate(bytes); }

void tests_free_device_memory(void* memory) { HostDevice::get().free(static_cast<std::byte*>(memory)); }

/// As a driver's copy does, behind all that streams have.
void tests_device_copy(void* to, const void* from, std::int64_t bytes) {
  HostDevice::get().synchronize_all();
  HostDevice::get().copy(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes, nullptr);
  HostDevice::get().synchronize(nullptr);
}

void* tests_device_stream() { return HostDevice::get().create_stream(); }

}  // extern "C"
