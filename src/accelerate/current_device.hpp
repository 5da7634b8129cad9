// SPDX-License-Identifier: BSD-3-Clause
// The device on which the library allocates for a process that names none.
#pragma once

#include "accelerate/device.hpp"

namespace halocline::accelerate {

/// The current GPU, or the first if the process has used none. Opens the driver. Throws Error{unsupported} if
/// there is none.
[[nodiscard]] Device& current_device();

}  // namespace halocline::accelerate
