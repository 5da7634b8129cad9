// SPDX-License-Identifier: BSD-3-Clause
// The integer of the library: 64 bits everywhere, so that a billion processes and a trillion cells fit.
#pragma once

#include "halocline/base/cxx20.hpp"

#include <cstdint>
#include <vector>

namespace halocline {

using Count = std::int64_t;
using Counts = std::vector<Count>;

}  // namespace halocline
