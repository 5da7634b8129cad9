// SPDX-License-Identifier: BSD-3-Clause
// What an owner makes of the values that others have in their halos for its points.
#pragma once

#include "halocline/base/cxx20.hpp"

#include <cstdint>

namespace halocline {

/// How a value from a halo comes to that of the owner. `sum`: both are added; integers wrap around. `min`,
/// `max`: it takes the place of the owner's if it is less, or greater; so what is not a number changes
/// nothing, and stays where the owner has it. `replace`: it takes the owner's place.
enum class Accumulate : std::uint8_t { sum, min, max, replace };

}  // namespace halocline
