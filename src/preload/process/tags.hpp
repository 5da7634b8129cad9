// SPDX-License-Identifier: BSD-3-Clause
// The tags of our messages, on communicators that are ours alone.
#pragma once

#include "exchange/streams/stream_memory.hpp"

namespace halocline::preload {

enum Tag : int {
  blocking_tag = exchange::first_free_tag,
  pending_tag,
  first_persistent_tag,  ///< One for each persistent collective, from here on.
};

}  // namespace halocline::preload
