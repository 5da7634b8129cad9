// SPDX-License-Identifier: BSD-3-Clause
// Whether any request needs something of us when it completes. Every call that completes requests asks this
// first.
#pragma once

#include <atomic>
#include <cstddef>

namespace halocline::preload {

/// Parcels, and collectives that MPI does not move by itself.
[[gnu::visibility("hidden")]] inline std::atomic<std::size_t> ours_under_way = 0;

[[nodiscard]] inline bool any_under_way() { return ours_under_way.load(std::memory_order_relaxed) != 0; }

}  // namespace halocline::preload
