// SPDX-License-Identifier: BSD-3-Clause
#include "base/table.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace halocline {
namespace {

/// How many characters of UTF-8 there are: the bytes that do not go on with one.
std::size_t characters(std::string_view text) {
  return to_index(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Those of its last line.
std::size_t last_characters(std::string_view text) { return characters(text.substr(text.rfind('\n') + 1)); }

void append_below(std::string& line, std::string_view text) {
  const std::string indent(last_characters(line), ' ');
  for (const char c : text) {
    line += c;
    if (c == '\n') line += indent;
  }
}

}  // namespace

Column Column::left(std::string heading, int width, std::string key, const char* gap) {
  return {std::move(heading), width, Column::Side::left, std::move(key), gap};
}

Column Column::right(std::string heading, int width, std::string key, const char* gap) {
  return {std::move(heading), width, Column::Side::right, std::move(key), gap};
}

Column Column::hidden(std::string key) { return {"", 0, Column::Side::nowhere, std::move(key)}; }

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

std::string TextTable::heading() const {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  const bool none =
      std::all_of(headings.begin(), headings.end(), [](const auto& text) { return text.empty(); });
  return none ? "" : line(headings);
}

std::string TextTable::line(std::span<const std::string> texts) const {
  if (texts.size() > columns_.size())
    fail(Fault::internal, "a row of ", texts.size(), " entries in a table of ", columns_.size(), " columns");
  std::string line;
  std::string blanks;  // owed to the text on the left, if another follows
  bool first = true;
  for (std::size_t c = 0; c < texts.size(); ++c) {
    const Column& column = columns_[c];
    if (column.side == Column::Side::nowhere) continue;
    if (!std::exchange(first, false)) line += std::exchange(blanks, "") + column.gap;
    const std::size_t width = to_index(column.width), taken = last_characters(texts[c]);
    blanks.assign(width - std::min(width, taken), ' ');
    if (column.side == Column::Side::right) line += std::exchange(blanks, "");
    append_below(line, texts[c]);
  }
  return line + "\n";
}

std::string with_digits(double value, int digits) {
  std::array<char, 400> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits);
  return {text.data(), end.ptr};
}

}  // namespace halocline
