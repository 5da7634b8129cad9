// Random halos of fields on a device and on the host, for machines where no tests can be built.
#pragma once

#include "accelerate/device.hpp"

#include <cstdint>

namespace halocline::bench {

/// So many of them, from a seed on: meshes of one to four dimensions, open and periodic, uneven shares,
/// fields of any widths, elements with gaps, memories in any order, borders, directions, ways to exchange;
/// each verified point by point. False, on all processes, if one was wrong; rank 0 says which. Collective.
[[nodiscard]] bool random_halos_are_right(accelerate::Device& device, std::int64_t number,
                                          std::uint64_t seed);

}  // namespace halocline::bench
