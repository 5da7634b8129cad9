// SPDX-License-Identifier: BSD-3-Clause
// In what memory messages are packed whose fields lie on devices: the one place that decides it.
#pragma once

#include "halocline/plan/option_types.hpp"

#include <cstdint>

namespace halocline::plan {

/// What a user says of it.
enum class MessageMemory : std::uint8_t { automatic, host, device };

/// On the device? As the user says, or else if the MPI of this process takes addresses of devices: that saves
/// a copy to the host and one back.
[[nodiscard]] bool packs_on_device(MessageMemory wanted, bool mpi_takes_them);

/// Can that be, as far as somebody asks for something else? Only messages of one process to another, handed
/// to MPI as it likes them, are packed on devices: whoever asks for another schedule or wire gets it, through
/// the host.
[[nodiscard]] bool may_pack_on_device(ScheduleChoice asked, bool any_wire);

}  // namespace halocline::plan
