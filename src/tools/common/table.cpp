// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/table.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <utility>

namespace halocline::tools {
namespace {

/// A line of texts, of which `text_of` has one for each column.
template <class TextOf>
std::string line_of(const std::vector<Column>& columns, const TextOf& text_of) {
  std::string line;
  bool first = true;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].side == Column::Side::nowhere) continue;
    if (!std::exchange(first, false)) line += columns[c].gap;
    line += columns[c].side == Column::Side::left ? fmt::format("{:<{}}", text_of(c), columns[c].width)
                                                  : fmt::format("{:>{}}", text_of(c), columns[c].width);
  }
  return line + "\n";
}

}  // namespace

Entry decimal(double value, int digits, double in_one) {
  return {fmt::format("{:.{}f}", in_one * value, digits), value};
}

Entry significant(double value, int digits) { return {fmt::format("{:.{}g}", value, digits), value}; }

Column Column::left(std::string heading, int width, std::string key, const char* gap) {
  return {std::move(heading), width, Column::Side::left, std::move(key), gap};
}

Column Column::right(std::string heading, int width, std::string key, const char* gap) {
  return {std::move(heading), width, Column::Side::right, std::move(key), gap};
}

Column Column::hidden(std::string key) { return {"", 0, Column::Side::nowhere, std::move(key)}; }

void Table::add(std::vector<Entry> row) {
  if (row.size() != columns_.size())
    fail(Fault::internal, "a row of ", row.size(), " entries in a table of ", columns_.size(), " columns");
  rows_.push_back(std::move(row));
}

std::string Table::heading() const {
  if (std::all_of(columns_.begin(), columns_.end(), [](const Column& c) { return c.heading.empty(); }))
    return "";
  return line_of(columns_, [&](std::size_t c) -> const std::string& { return columns_[c].heading; });
}

std::string Table::line(const std::vector<Entry>& row) const {
  return line_of(columns_, [&](std::size_t c) -> const std::string& { return row[c].text; });
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
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!columns_[c].key.empty()) object[columns_[c].key] = row[c].json;
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace halocline::tools
