// SPDX-License-Identifier: BSD-3-Clause
#include "tools/manual/man_page.hpp"

#include "halocline/version.h"
#include "tools/manual/declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace halocline::tools {
namespace {

/// As roff wants text: a hyphen is a minus, a line does not begin with a control character.
std::string roff(const std::string& text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped;
}

std::string option_entry(const CLI::Option& option) {
  std::string head;
  for (const std::string& name : spellings(option))
    head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", roff(name));
  if (head.empty()) head = fmt::format("\\fI{}\\fR", roff(option.get_single_name()));
  if (option.nonpositional() && takes_value(option))
    head +=
        fmt::format(" \\fI{}\\fR", roff(option.get_type_name().empty() ? "VALUE" : option.get_type_name()));
  std::string text = fmt::format(".TP\n{}\n{}", head, roff(option.get_description()));
  if (option.get_required()) text += " (required)";
  if (!option.get_default_str().empty()) text += fmt::format(" [{}]", roff(option.get_default_str()));
  return text + "\n";
}

std::string option_entries(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : options(app)) text += option_entry(*option);
  return text;
}

std::string synopsis(const CLI::App& app) {
  std::string line = fmt::format("\\fB{}\\fR", roff(full_name(app, " ")));
  if (!subcommands(app).empty()) line += " \\fICOMMAND\\fR";
  line += " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : options(app))
    if (option->get_positional()) {
      const std::string name = fmt::format("\\fI{}\\fR", roff(option->get_single_name()));
      line += option->get_required() ? " " + name : " [" + name + "]";
    }
  return line + "\n";
}

/// The footer of a command shows an example, on lines of its own.
std::string example(const CLI::App& app) {
  constexpr std::string_view heading = "Example:\n";
  const std::string footer = app.get_footer();
  const std::size_t begin = footer.find(heading);
  if (begin == std::string::npos) return {};
  return fmt::format(".SH EXAMPLE\n.nf\n{}\n.fi\n", roff(footer.substr(begin + heading.size())));
}

/// The commands below one, each with its options, and those below it, if it has no page of its own.
std::string command_entries(const CLI::App& app) {
  const bool have_pages = app.get_parent() == nullptr;
  std::string text;
  for (const CLI::App* command : subcommands(app))
    text += have_pages ? fmt::format(".TP\n\\fB{0}\\fR\n{1}; see \\fBhalocline\\-{0}\\fR(1)\n",
                                     roff(command->get_name()), roff(command->get_description()))
                       : fmt::format(".SS {}\n{}\n{}{}", roff(full_name(*command, " ")),
                                     roff(command->get_description()), option_entries(*command),
                                     command_entries(*command));
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string title = full_name(app, "-"), capitals = title;
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text =
      fmt::format(".TH {} 1 \"\" \"Halocline {}\" \"Halocline\"\n", roff(capitals), HALOCLINE_VERSION_TEXT);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(title), roff(app.get_description()));
  text += ".SH SYNOPSIS\n" + synopsis(app);
  if (!subcommands(app).empty()) text += ".SH COMMANDS\n" + command_entries(app);
  text += ".SH OPTIONS\n" + option_entries(app);
  text += example(app);
  text += ".SH EXIT STATUS\n0: done. 1: the work failed. 2: wrong use.\n";
  if (app.get_parent() != nullptr) text += ".SH SEE ALSO\n\\fBhalocline\\fR(1)\n";
  return text;
}

}  // namespace halocline::tools
