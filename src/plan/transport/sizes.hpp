// SPDX-License-Identifier: BSD-3-Clause
// From how many bytes on something is done another way. Sizes of buffers by which nothing is decided stand
// where the buffers are.
#pragma once

#include "halocline/base/count.hpp"

#include <cstddef>

namespace halocline::plan {

/// What MPI sends without asking the receiver first is up to 64 KiB on TCP, and less on networks that are
/// quick to ask. Longer messages are better sent in pieces, and not from where their blocks lie: MPI would
/// pack them while others are under way.
inline constexpr Count longest_eager_message = Count{63} * 1024;

/// Of a message that is too long to be sent whole, a piece, which MPI sends without asking.
inline constexpr Count fragment_bytes = Count{32} * 1024;

/// What goes from a device to one process by messages is packed by a launch of its own from here on: a launch
/// and the gap before it take as long as some hundred KiB take to the host.
inline constexpr Count least_packed_alone = Count{128} * 1024;
/// So many launches at most, since none is sent before the last one is launched.
inline constexpr Count most_packing_launches = 8;

/// Blocks that a process copies by itself are copied as one, through a buffer, up to this length; longer ones
/// go from place to place, since the second copy would cost more than what it saves.
inline constexpr Count longest_copied_together = 512;

/// All blocks of a process in a blocking call, at most, for which it goes through memory of the library, so
/// that nobody has to agree: a copy of more takes longer than an agreement.
inline constexpr Count most_staged_bytes = Count{128} * 1024;

/// Where several slots of a halo rotate, each way to choose one memory of each slot has an exchange of its
/// own while these are no more. Each costs its creation and its memory, and most are never met.
inline constexpr std::size_t most_exchanges_of_a_halo = 8;

}  // namespace halocline::plan
