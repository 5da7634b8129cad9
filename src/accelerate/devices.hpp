// SPDX-License-Identifier: BSD-3-Clause
// The devices that a process has: what memory lies on them, and on which one the library allocates.
#pragma once

#include "accelerate/device/device.hpp"

namespace halocline::accelerate {

/// Has this process any device open? If not, all addresses are the host's.
[[nodiscard]] bool in_use();

/// Has it one open that we cannot use? Then no address is known to be the host's.
[[nodiscard]] bool in_use_by_others();
/// Why. @pre in_use_by_others()
[[nodiscard]] const std::string& why_by_others();

/// In what memory of a device an address lies; none if it is the host's. Opens no driver that the process has
/// not opened itself: then it costs a look, otherwise about 0.1 us.
[[nodiscard]] std::optional<DeviceMemory> what_is(const void* address);

/// The current GPU, or one that the process is dealt if it has used none; with HALOCLINE_DEVICE=host the one
/// that the host's processor plays. Opens the driver. Throws Error{unsupported} if there is none,
/// Error{invalid_argument} if HALOCLINE_DEVICE is nonsense.
[[nodiscard]] Device& current_device();

}  // namespace halocline::accelerate
