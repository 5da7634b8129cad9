// SPDX-License-Identifier: BSD-3-Clause
// Messages that are longer than the buffer of their receive.
//
// Open MPI (4.1.4) writes all of such a message, beyond the end, before it reports the error, if there are
// gaps on neither side and the message is not small. Packing takes gaps away. A process that ends with the
// error does not care; one that outlives it must have a gap left, on the one side or on the other: messages
// of the program that are packed have one on whichever side they are packed. So have those of collectives if
// some process went on after errors when the communicator was set up; otherwise where they are received by
// one that does so by then.
#pragma once

#include "halocline/base/count.hpp"
#include "mpi/handles/handle.hpp"

#include <cstddef>
#include <memory>

namespace halocline::exchange {

#if defined(OPEN_MPI)
constexpr bool writes_beyond_the_end = true;
#else
constexpr bool writes_beyond_the_end = false;
#endif

/// For packed bytes in memory of ours: a type of `bytes` with a gap of gap_bytes before the last one. The
/// other side needs no answer: what goes over the wire stays the same. @pre bytes >= least_with_gap
[[nodiscard]] mpi::Datatype type_with_gap(Count bytes);
constexpr Count least_with_gap = 2, gap_bytes = 1;
/// The same, remembered for the next ones. Not for several threads.
[[nodiscard]] std::shared_ptr<const mpi::Datatype> known_type_with_gap(Count bytes);

/// Between `bytes` that lie together and the same with the gap.
inline void open_gap(std::byte* wire, Count bytes) noexcept { wire[bytes - 1 + gap_bytes] = wire[bytes - 1]; }
inline void close_gap(std::byte* wire, Count bytes) noexcept {
  wire[bytes - 1] = wire[bytes - 1 + gap_bytes];
}

}  // namespace halocline::exchange
