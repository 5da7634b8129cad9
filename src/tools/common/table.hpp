// SPDX-License-Identifier: BSD-3-Clause
// Columns and rows: one table, for people as text and for programs as JSON.
#pragma once

#include "base/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halocline::tools {

/// A value of a table: how people read it, and how programs do.
struct Entry {
  Entry(std::string for_people, nlohmann::ordered_json for_programs)
      : text(std::move(for_people)), json(std::move(for_programs)) {}
  // A row is written as a list of values.
  // NOLINTBEGIN(google-explicit-constructor)
  Entry(std::string_view words) : Entry(std::string(words), words) {}
  Entry(const std::string& words) : Entry(std::string_view(words)) {}
  Entry(const char* words) : Entry(std::string_view(words)) {}
  template <std::integral Integer>
  Entry(Integer number) : Entry(fmt::to_string(number), number) {}
  // NOLINTEND(google-explicit-constructor)

  std::string text;
  nlohmann::ordered_json json;
};

/// A number that people read with so many digits behind the point, in units of which one has `in_one`.
[[nodiscard]] Entry decimal(double value, int digits, double in_one = 1);
/// A number of which people read the first digits.
[[nodiscard]] Entry significant(double value, int digits);

class Table {
 public:
  explicit Table(std::vector<Column> columns) : text_(std::move(columns)) {}

  /// A row with an entry for each column, the hidden ones too. Throws Error{internal} if there are others.
  void add(std::vector<Entry> row);

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  /// The line of headings; none if all of them are empty.
  [[nodiscard]] std::string heading() const { return text_.heading(); }
  /// A line, for those who print one after the other.
  [[nodiscard]] std::string line(const std::vector<Entry>& row) const;
  /// The headings and a line for each row.
  [[nodiscard]] std::string to_text() const;
  /// A list with an object for each row.
  [[nodiscard]] nlohmann::ordered_json to_json() const;

 private:
  TextTable text_;
  std::vector<std::vector<Entry>> rows_;
};

}  // namespace halocline::tools
