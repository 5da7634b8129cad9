// SPDX-License-Identifier: BSD-3-Clause
// In what memory messages of devices are packed.
#pragma once

#include <mpi.h>

namespace halocline::exchange {

/// On the device? As the setting device_messages has it, by a key or by the environment of this process, or
/// else if its MPI takes addresses of devices. Throws Error{invalid_argument} if that is nonsense. Local.
/// @pre MPI is initialized
[[nodiscard]] bool wants_device_messages(MPI_Info info);

}  // namespace halocline::exchange
