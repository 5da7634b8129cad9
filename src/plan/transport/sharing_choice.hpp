// SPDX-License-Identifier: BSD-3-Clause
// How many threads copy what an exchange packs, copies and unpacks.
#pragma once

#include "halocline/base/count.hpp"

namespace halocline::plan {

/// What a copy costs as much as, in bytes that lie one behind the other: each run takes lines of its own from
/// either side.
[[nodiscard]] Count copy_work(Count bytes, Count runs);

/// So much for each thread at least, which takes it some 80 us: to call others and to wait for the last one
/// takes up to 50 us where they sleep. Four fields of 32^3 doubles with 26 neighbours are less than two
/// threads need, of 64^3 as much as two (docs/halo.md has the measurements).
inline constexpr Count least_shared_work = Count{1280} * 1024;

/// How many of these workers share a piece of work; 1 if the thread that has it does it alone. Each has
/// `least` work at least. @pre workers >= 1, least >= 0
[[nodiscard]] int choose_threads(Count work, int workers, Count least = least_shared_work);

}  // namespace halocline::plan
