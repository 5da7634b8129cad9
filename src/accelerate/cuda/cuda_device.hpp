// SPDX-License-Identifier: BSD-3-Clause
// GPUs of NVIDIA, through their driver alone.
#pragma once

#include "accelerate/device/device.hpp"

namespace halocline::accelerate {

/// How many there are: 0 without a driver. Opens it.
[[nodiscard]] int cuda_devices();
/// One of them, by the number that the driver knows it by. Opens the driver, and the context that all
/// libraries of the process share. Throws Error{unsupported} if that cannot be, or if this build has no
/// kernel for GPUs.
[[nodiscard]] Device& cuda_device(int ordinal);
/// Where it sits in its host, by which processes that number them in other ways know the same one; empty if
/// the driver does not tell. @pre there is such a device
[[nodiscard]] std::string cuda_place(int ordinal);
/// The one whose context is current in this thread, else the one that dealt_gpu() gives it. Opens the driver;
/// throws as cuda_device().
[[nodiscard]] int current_cuda();
/// As what_is(), for GPUs of NVIDIA.
[[nodiscard]] std::optional<DeviceMemory> find_cuda(const void* address);

}  // namespace halocline::accelerate
