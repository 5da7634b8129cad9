// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/table.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <utility>

namespace halocline::tools {

Entry decimal(double value, int digits, double in_one) {
  return {fmt::format("{:.{}f}", in_one * value, digits), value};
}

Entry significant(double value, int digits) { return {fmt::format("{:.{}g}", value, digits), value}; }

void Table::add(std::vector<Entry> row) {
  const std::size_t columns = text_.columns().size();
  if (row.size() != columns)
    fail(Fault::internal, "a row of ", row.size(), " entries in a table of ", columns, " columns");
  rows_.push_back(std::move(row));
}

std::string Table::line(const std::vector<Entry>& row) const {
  std::vector<std::string> texts;
  texts.reserve(row.size());
  for (const Entry& entry : row) texts.push_back(entry.text);
  return text_.line(texts);
}

std::string Table::to_text() const {
  std::string text = heading();
  for (const std::vector<Entry>& row : rows_) text += line(row);
  return text;
}

nlohmann::ordered_json Table::to_json() const {
  auto list = nlohmann::ordered_json::array();
  for (const std::vector<Entry>& row : rows_) {
    auto object = nlohmann::ordered_json::object();
    for (std::size_t c = 0; c < row.size(); ++c)
      if (const std::string& key = text_.columns()[c].key; !key.empty()) object[key] = row[c].json;
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace halocline::tools
