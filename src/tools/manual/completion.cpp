// SPDX-License-Identifier: BSD-3-Clause
#include "tools/manual/completion.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "tools/manual/declared.hpp"

#include <fmt/format.h>

#include <string_view>

namespace halocline::tools {
namespace {

/// The options that a command takes: also those of the one above it if that hands them on, as bench does.
std::vector<const CLI::Option*> options_at(const CLI::App& app) {
  std::vector<const CLI::Option*> all;
  for (const CLI::App* level = &app; level != nullptr; level = level->get_parent()) {
    if (level != &app && !level->get_fallthrough()) break;
    for (const CLI::Option* option : options(*level)) all.push_back(option);
  }
  return all;
}

/// The paths of all commands below the program: what can be entered word by word.
std::string command_paths(const CLI::App& app, std::string_view separator) {
  std::string paths;
  for (const CLI::App* command : subcommands(app)) {
    if (!paths.empty()) paths += separator;
    paths += "'" + full_name(*command, " ") + "'";
    if (!subcommands(*command).empty()) paths.append(separator).append(command_paths(*command, separator));
  }
  return paths;
}

/// The spellings of options that take a value, as a regular expression.
std::string valued_options(const CLI::App& app) {
  std::string valued;
  for (const CLI::Option* option : options_at(app))
    if (takes_value(*option))
      for (const std::string& name : spellings(*option)) valued += (valued.empty() ? "" : "|") + name;
  return valued;
}

/// A description in single quotes: what comes before the first bracket or semicolon will do.
std::string in_quotes(const std::string& text, bool colons_escaped) {
  std::string quoted = "'";
  for (const char c : text.substr(0, text.find_first_of(";\n"))) {
    if (c == '\'')
      quoted += "\\'";
    else if (c == ':' && colons_escaped)
      quoted += "\\:";
    else
      quoted += c;
  }
  return quoted + "'";
}

/// Of a shell whose single quotes end at the next one whatever stands before it.
std::string without_quotes(std::string text) {
  std::erase(text, '\'');
  return text;
}

/// One line of the script: where in the tree of commands, and which words there are.
std::string bash_case(const CLI::App& app) {
  std::string words;
  for (const CLI::App* command : subcommands(app)) words += command->get_name() + " ";
  for (const CLI::Option* option : options_at(app))
    for (const std::string& name : spellings(*option)) words += name + " ";
  if (!words.empty()) words.pop_back();
  std::string text =
      fmt::format("    '{}') words='{}'; valued='{}' ;;\n", full_name(app, " "), words, valued_options(app));
  for (const CLI::App* command : subcommands(app)) text += bash_case(*command);
  return text;
}

std::string bash_script(const CLI::App& program) {
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
                     program.get_name(), command_paths(program, "|"), bash_case(program));
}

std::string zsh_case(const CLI::App& app) {
  std::string commands, words;
  for (const CLI::App* command : subcommands(app))
    commands +=
        " " + in_quotes(without_quotes(command->get_name() + "\x01" + command->get_description()), true);
  for (const CLI::Option* option : options_at(app))
    for (const std::string& name : spellings(*option))
      words += " " + in_quotes(without_quotes(name + "\x01" + option->get_description()), true);
  for (std::string* list : {&commands, &words})
    for (char& c : *list)
      if (c == '\x01') c = ':';
  std::string text = fmt::format("    '{}') commands=({} ); options=({} ); valued='{}' ;;\n",
                                 full_name(app, " "), commands, words, valued_options(app));
  for (const CLI::App* command : subcommands(app)) text += zsh_case(*command);
  return text;
}

std::string zsh_script(const CLI::App& program) {
  return fmt::format(R"(#compdef {0}
# zsh completion for halocline, made by: halocline completion zsh
_halocline() {{
  local where={0} valued= i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$where $words[i]" in
      {1}) where="$where $words[i]" ;;
    esac
  done
  case $where in
{2}  esac
  # Behind an option that takes a value, and where no command is expected, zsh offers files.
  if [[ -n $valued && $words[CURRENT-1] =~ "^($valued)\$" ]]; then
    _files
  elif [[ $words[CURRENT] == -* ]]; then
    _describe -o option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}}
if [[ $funcstack[1] == _halocline ]]; then _halocline "$@"; elif (( $+functions[compdef] )); then compdef _halocline {0}; fi
)",
                     program.get_name(), command_paths(program, "|"), zsh_case(program));
}

std::string fish_lines(const CLI::App& app) {
  const std::string here =
      fmt::format("complete -c halocline -n \"__halocline_at '{}'\"", full_name(app, " "));
  std::string text;
  for (const CLI::App* command : subcommands(app))
    text += fmt::format("{} -f -a {} -d {}\n", here, command->get_name(),
                        in_quotes(command->get_description(), false));
  for (const CLI::Option* option : options_at(app)) {
    std::string names;
    for (const std::string& name : option->get_snames()) names += " -s " + name;
    for (const std::string& name : option->get_lnames()) names += " -l " + name;
    if (!names.empty())
      text += fmt::format("{}{}{} -d {}\n", here, names, takes_value(*option) ? " -r" : "",
                          in_quotes(option->get_description(), false));
  }
  for (const CLI::App* command : subcommands(app)) text += fish_lines(*command);
  return text;
}

std::string fish_script(const CLI::App& program) {
  return fmt::format(R"(# fish completion for halocline, made by: halocline completion fish
function __halocline_at
  set -l where {0}
  set -l typed (commandline -opc)
  for word in $typed[2..-1]
    contains -- "$where $word" {1}
    and set where "$where $word"
  end
  test "$where" = "$argv[1]"
end
{2})",
                     program.get_name(), command_paths(program, " "), fish_lines(program));
}

}  // namespace

std::string completion_script(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  if (shell == "zsh") return zsh_script(program);
  if (shell == "fish") return fish_script(program);
  fail(Fault::invalid_argument, "completion ", shell, ": there are scripts for bash, zsh and fish");
}

}  // namespace halocline::tools
