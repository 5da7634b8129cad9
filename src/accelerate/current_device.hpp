// SPDX-License-Identifier: BSD-3-Clause
// The device on which the library allocates for a process that names none.
#pragma once

#include "accelerate/device.hpp"

namespace halocline::accelerate {

/// The current GPU, or one that the process is dealt if it has used none; with HALOCLINE_DEVICE=host the one
/// that the host's processor plays. Opens the driver. Throws Error{unsupported} if there is none,
/// Error{invalid_argument} if HALOCLINE_DEVICE is nonsense.
[[nodiscard]] Device& current_device();

}  // namespace halocline::accelerate
