// SPDX-License-Identifier: BSD-3-Clause
// Lists in text forms and messages: "50x48", "1,0,1".
#pragma once

#include <string>
#include <string_view>

namespace halocline {

/// The integers of a range with the separator between them.
template <class Range>
[[nodiscard]] std::string join(const Range& values, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto value : values) {
    if (!first) text += separator;
    text += std::to_string(value);
    first = false;
  }
  return text;
}

}  // namespace halocline
