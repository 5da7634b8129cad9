// SPDX-License-Identifier: BSD-3-Clause
// Whether buffers of the program lie in memory of a GPU.
#pragma once

#include "accelerate/device/device.hpp"
#include "halocline/describe/layout.hpp"

#include <cstddef>

namespace halocline::preload {

struct Whereabouts {
  accelerate::Device* device = nullptr;  ///< Null for memory of the host.
  bool out_of_reach = false;  ///< On a device that we cannot use, or in more memory than one: MPI's.

  [[nodiscard]] bool on_host() const { return device == nullptr && !out_of_reach; }
};

/// Of all bytes of a place. Costs a load or two in a process that has no driver of a GPU, about 0.1 us in
/// others. It asks the driver each time: a program may free memory of a device and get the address again for
/// another purpose. Any thread may ask.
[[nodiscard]] Whereabouts whereabouts(const void* address, const Segment& place) noexcept;

/// All bytes that some elements of a layout have, from the first to the last.
[[nodiscard]] Segment reach_of(const Layout& layout, Count count);

/// Does MPI take packed messages from memory of a device? As HALOCLINE_DEVICE_MESSAGES of this process has
/// it, or MPI itself. Asked once. @pre MPI is initialised
[[nodiscard]] bool packs_into_devices() noexcept;

}  // namespace halocline::preload
