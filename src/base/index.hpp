// SPDX-License-Identifier: BSD-3-Clause
// Numbers that may have a sign, and enumerators, as indices of containers, which have none.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace halocline {

/// The same number. @pre it is not negative, which debug builds check
template <std::integral Integer>
[[nodiscard]] constexpr std::size_t to_index(Integer number) {
  assert(std::in_range<std::size_t>(number));
  return static_cast<std::size_t>(number);
}

/// The place of an enumerator in a table that has a row for each. @pre they count from 0
template <class Enumeration>
requires std::is_enum_v<Enumeration>
[[nodiscard]] constexpr std::size_t to_index(Enumeration enumerator) {
  return to_index(static_cast<std::underlying_type_t<Enumeration>>(enumerator));
}

}  // namespace halocline
