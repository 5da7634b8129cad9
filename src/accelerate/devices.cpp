// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/devices.hpp"

#include "accelerate/cuda/cuda_device.hpp"
#include "accelerate/cuda/cuda_driver.hpp"
#include "accelerate/host/host_device.hpp"
#include "base/fail.hpp"
#include "base/settings.hpp"

#include <cstdlib>

namespace halocline::accelerate {

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
