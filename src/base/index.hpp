// SPDX-License-Identifier: BSD-3-Clause
// Numbers that may have a sign as indices of containers, which have none.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <utility>

namespace halocline {

/// The same number. @pre it is not negative, which debug builds check
template <std::integral Integer>
[[nodiscard]] constexpr std::size_t to_index(Integer number) {
  assert(std::in_range<std::size_t>(number));
  return static_cast<std::size_t>(number);
}

}  // namespace halocline
