#include "tools/manual/man_page.hpp"

#include "tools/common/version.hpp"

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

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options(const CLI::App& app) {
  return app.get_options([](const CLI::Option*) { return true; });
}

/// "halocline bench halo".
std::string full_name(const CLI::App& app, const char* separator) {
  return app.get_parent() == nullptr ? app.get_name()
                                     : full_name(*app.get_parent(), separator) + separator + app.get_name();
}

/// All spellings of an option; none for a positional.
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

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

/// The commands below one, each with its options if it has no page of its own.
std::string command_entries(const CLI::App& app) {
  const bool have_pages = app.get_parent() == nullptr;
  std::string text;
  for (const CLI::App* command : subcommands(app))
    text += have_pages ? fmt::format(".TP\n\\fB{0}\\fR\n{1}; see \\fBhalocline\\-{0}\\fR(1)\n",
                                     roff(command->get_name()), roff(command->get_description()))
                       : fmt::format(".SS {}\n{}\n{}", roff(full_name(*command, " ")),
                                     roff(command->get_description()), option_entries(*command));
  return text;
}

/// One line of the script: where in the tree of commands, and which words there are.
std::string completion_case(const CLI::App& app) {
  std::string words, valued;
  for (const CLI::App* command : subcommands(app)) words += command->get_name() + " ";
  for (const CLI::App* level = &app; level != nullptr; level = level->get_parent()) {
    // A command also takes the options of the one above it if that hands them on, as bench does.
    if (level != &app && !level->get_fallthrough()) break;
    for (const CLI::Option* option : options(*level))
      for (const std::string& name : spellings(*option)) {
        words += name + " ";
        if (takes_value(*option)) valued += (valued.empty() ? "" : "|") + name;
      }
  }
  if (!words.empty()) words.pop_back();
  std::string text =
      fmt::format("    '{}') words='{}'; valued='{}' ;;\n", full_name(app, " "), words, valued);
  for (const CLI::App* command : subcommands(app)) text += completion_case(*command);
  return text;
}

/// The paths of all commands below the program: what can be entered word by word.
std::string command_paths(const CLI::App& app) {
  std::string paths;
  for (const CLI::App* command : subcommands(app))
    paths += (paths.empty() ? "'" : "|'") + full_name(*command, " ") + "'" +
             (subcommands(*command).empty() ? "" : "|" + command_paths(*command));
  return paths;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string title = full_name(app, "-"), capitals = title;
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text =
      fmt::format(".TH {} 1 \"\" \"Halocline {}\" \"Halocline\"\n", roff(capitals), HALOCLINE_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(title), roff(app.get_description()));
  text += ".SH SYNOPSIS\n" + synopsis(app);
  if (!subcommands(app).empty()) text += ".SH COMMANDS\n" + command_entries(app);
  text += ".SH OPTIONS\n" + option_entries(app);
  text += example(app);
  text += ".SH EXIT STATUS\n0: done. 1: the work failed. 2: wrong use.\n";
  if (app.get_parent() != nullptr) text += ".SH SEE ALSO\n\\fBhalocline\\fR(1)\n";
  return text;
}

std::string bash_completion(const CLI::App& program) {
  return fmt::format(R"(# bash completion for halocline, made by: halocline completion bash
_halocline() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} path={0} words= valued= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${{COMP_WORDS[i]}}" in
      {1}) path="$path ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case $path in
{2}  esac
  COMPREPLY=()
  # Behind an option that takes a value, and where no command or option fits, bash offers files.
  if [[ $valued && ${{COMP_WORDS[COMP_CWORD - 1]}} =~ ^($valued)$ ]]; then return; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _halocline {0}
)",
                     program.get_name(), command_paths(program), completion_case(program));
}

}  // namespace halocline::tools
