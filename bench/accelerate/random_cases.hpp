// Layouts of all kinds by chance, for whoever asks what the worst one is.
#pragma once

#include "compile/layouts.hpp"

#include <cstdint>
#include <vector>

namespace halocline::bench {

/// So many, the same for a seed: rows of 1 to 300 bytes under up to three loops, forwards and backwards,
/// boxes of arrays of C and of Fortran, structures, lists of equal blocks and of runs of any length; 100
/// bytes to 8 MB, from odd addresses on. No byte is in a layout twice.
[[nodiscard]] std::vector<PackCase> random_cases(int count, std::uint64_t seed);

}  // namespace halocline::bench
