// SPDX-License-Identifier: BSD-3-Clause
// How many of its random cases a test tries.
#pragma once

#include <concepts>

namespace halocline {

/// All of them, or a tenth in a build with sanitizers, where each takes some fifteen times as long: the
/// release build has tried the others.
template <std::integral Number>
[[nodiscard]] constexpr Number tried(Number cases) {
#ifdef __SANITIZE_ADDRESS__
  return (cases + 9) / 10;
#else
  return cases;
#endif
}

}  // namespace halocline
