// SPDX-License-Identifier: BSD-3-Clause
// Columns of text that stand below each other, for whatever prints more than one line of values.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace halocline {

/// What the rows of a table have in common at one place.
struct Column {
  enum class Side { left, right, nowhere };

  [[nodiscard]] static Column left(std::string heading, int width, std::string key = "",
                                   const char* gap = " ");
  [[nodiscard]] static Column right(std::string heading, int width, std::string key = "",
                                    const char* gap = " ");
  /// For programs alone.
  [[nodiscard]] static Column hidden(std::string key);

  std::string heading;
  int width;              ///< A longer text moves what comes after it; 0: nothing is filled up.
  Side side;              ///< Where texts begin or end; nowhere: people do not see it.
  std::string key;        ///< Its name for programs; empty: they do not see it.
  const char* gap = " ";  ///< Between it and the column before it.
};

/// The table as people see it. Programs get theirs from what has the values, under the keys of the columns.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  /// The line of headings; none if all of them are empty.
  [[nodiscard]] std::string heading() const;
  /// A line of texts, of which the first columns have one each; others are left out. A text that has several
  /// lines goes on below its beginning. Throws Error{internal} if there are more texts than columns.
  [[nodiscard]] std::string line(std::span<const std::string> texts) const;

  void add(const std::vector<std::string>& texts) { lines_ += line(texts); }
  /// The headings and a line for each row.
  [[nodiscard]] std::string to_text() const { return heading() + lines_; }

 private:
  std::vector<Column> columns_;
  std::string lines_;
};

/// The number with so many digits behind the point, whatever the locale.
[[nodiscard]] std::string with_digits(double value, int digits);

}  // namespace halocline
