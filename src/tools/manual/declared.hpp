// SPDX-License-Identifier: BSD-3-Clause
// What the commands of the program declare, for manuals and completion.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace halocline::tools {

inline std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

inline std::vector<const CLI::Option*> options(const CLI::App& app) {
  return app.get_options([](const CLI::Option*) { return true; });
}

/// "halocline bench halo".
inline std::string full_name(const CLI::App& app, const char* separator) {
  return app.get_parent() == nullptr ? app.get_name()
                                     : full_name(*app.get_parent(), separator) + separator + app.get_name();
}

/// All spellings of an option; none for a positional.
inline std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

inline bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

}  // namespace halocline::tools
