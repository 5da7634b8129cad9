// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/base/count.hpp"

#include <string_view>

namespace halocline::schedule {

/// The most moves, rounds or neighbours of a schedule: some gigabytes, and indices fit in 32 bits.
constexpr Count most_moves = Count{1} << 26;

/// Throws Error{unsupported} if there are more; `name` is that of the algorithm, `noun` says of what.
void require_size(std::string_view name, std::string_view noun, Count number);

}  // namespace halocline::schedule
