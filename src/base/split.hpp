// SPDX-License-Identifier: BSD-3-Clause
// Lists of words.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace halocline {

/// What is between commas, empty words too: of an empty text one.
[[nodiscard]] inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// The same without an empty word at the end: of an empty text none.
[[nodiscard]] inline std::vector<std::string> listed_words(const std::string& text) {
  std::vector<std::string> words = split(text);
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace halocline
