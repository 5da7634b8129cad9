// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace halocline {

/// 128 bits: hold any product of two 64-bit numbers. (An extension of GCC and Clang, hence the spelling.)
__extension__ typedef __int128 Wide;                   // NOLINT(modernize-use-using)
__extension__ typedef unsigned __int128 UnsignedWide;  // NOLINT(modernize-use-using)

/// In decimal.
[[nodiscard]] inline std::string to_text(Wide value) {
  auto rest = static_cast<UnsignedWide>(value);
  if (value < 0) rest = -rest;
  std::array<char, 40> digits{};  // 39 digits and a sign
  std::size_t first = digits.size();
  do digits[--first] = static_cast<char>('0' + static_cast<int>(rest % 10));
  while ((rest /= 10) > 0);
  if (value < 0) digits[--first] = '-';
  return {digits.begin() + first, digits.end()};
}

}  // namespace halocline
