// SPDX-License-Identifier: BSD-3-Clause
// Tables of algorithms, orderings and formats are looked up by name.
#pragma once

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <string>
#include <string_view>

namespace halocline {

/// The row of `table` whose `name` it is. Throws Error{invalid_argument} that lists the names there are, and
/// behind them `others` that only the caller knows.
template <class Table>
[[nodiscard]] const auto& find_by_name(const Table& table, std::string_view noun, std::string_view name,
                                       std::string_view others = "") {
  std::string names;
  for (const auto& row : table) {
    if (row.name == name) return row;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  fail(Fault::invalid_argument, "no ", noun, " is called \"", name, "\"; there are ", names, others);
}

}  // namespace halocline
