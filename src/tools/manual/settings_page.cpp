// SPDX-License-Identifier: BSD-3-Clause
#include "tools/manual/settings_page.hpp"

#include "base/settings.hpp"

#include <fmt/format.h>

namespace halocline::tools {
namespace {

std::string code_or_dash(const char* name) { return name == nullptr ? "-" : fmt::format("`{}`", name); }

nlohmann::ordered_json name_or_null(const char* name) {
  return name == nullptr ? nlohmann::ordered_json() : nlohmann::ordered_json(name);
}

/// Of the variable, and of the key if it is another thing there.
std::string whose_value(const Setting& setting) {
  std::string whose = setting.whose;
  if (setting.variable == nullptr || setting.key == nullptr || whose == setting.whose_of_key) return whose;
  return fmt::format("{}; of the key: {}", whose, setting.whose_of_key);
}

}  // namespace

std::string settings_page() {
  std::string page;
  for (const auto& [heading, settings] : settings::sections) {
    page += fmt::format(
        "{}## {}\n\n"
        "| variable | info key | in C++ | what it is | values, the default first | whose value counts |\n"
        "| --- | --- | --- | --- | --- | --- |\n",
        page.empty() ? "" : "\n", heading);
    for (const Setting* const each : settings)
      page += fmt::format("| {} | {} | {} | {} | {} | {} |\n", code_or_dash(each->variable),
                          code_or_dash(each->key), code_or_dash(each->option), each->what, each->values,
                          whose_value(*each));
  }
  return page;
}

nlohmann::ordered_json settings_json() {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [heading, settings] : settings::sections)
    for (const Setting* const each : settings)
      list.push_back({{"section", heading},
                      {"variable", name_or_null(each->variable)},
                      {"key", name_or_null(each->key)},
                      {"option", name_or_null(each->option)},
                      {"what", each->what},
                      {"values", each->values},
                      {"whose", whose_value(*each)}});
  return list;
}

}  // namespace halocline::tools
