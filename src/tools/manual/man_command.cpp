// SPDX-License-Identifier: BSD-3-Clause
// halocline man and halocline completion: the manual and the shell's completion, printed by the program they
// are about.

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "tools/common/command.hpp"
#include "tools/manual/completion.hpp"
#include "tools/manual/man_page.hpp"
#include "tools/manual/settings_page.hpp"

#include <CLI/App.hpp>

#include <filesystem>
#include <fstream>
#include <memory>

namespace halocline::tools {
namespace {

struct ManWords {
  std::string command;
  std::string folder;
  bool settings = false;
};

void write_page(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw Error(Fault::internal, concat("cannot write ", path.string()));
}

/// All pages, under the names that man looks for.
Answer write_pages(const CLI::App& program, const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  Answer answer;
  answer.json = {{"pages", nlohmann::ordered_json::array()}};
  const auto add = [&](const std::string& name, const CLI::App& app) {
    const std::filesystem::path path = folder / (name + ".1");
    write_page(path, man_page(app));
    answer.json["pages"].push_back(path.string());
    answer.text += path.string() + "\n";
  };
  add(program.get_name(), program);
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    add(program.get_name() + "-" + command->get_name(), *command);
  return answer;
}

Answer answer_man(const CLI::App& program, const ManWords& words) {
  if (words.settings) return {settings_page(), {{"settings", settings_json()}}};
  if (!words.folder.empty()) return write_pages(program, words.folder);
  const CLI::App* page = &program;
  if (!words.command.empty()) {
    const auto named =
        program.get_subcommands([&](const CLI::App* app) { return app->get_name() == words.command; });
    require(!named.empty(), "there is no command '", words.command, "'; halocline --help lists them");
    page = named.front();
  }
  const std::string text = man_page(*page);
  return {text, {{"page", text}}};
}

}  // namespace

Action declare_man(Options& options) {
  auto words = std::make_shared<ManWords>();
  options.add_option("command", words->command, "the command that the page is about (default: the program)");
  const Option folder =
      options.add_option("--to", words->folder, "write all pages to this folder instead of printing one");
  options
      .add_flag("--settings", words->settings,
                "print all settings of the library instead: variables, keys and options with their values")
      .excludes(folder)
      .excludes(options.find("command"));
  return [words, &app = options.app()] { return answer_man(*app.get_parent(), *words); };
}

Action declare_completion(Options& options) {
  auto shell = std::make_shared<std::string>();
  options.add_option("shell", *shell, "whose completion: bash, zsh or fish").required();
  return [shell, &app = options.app()]() -> Answer {
    const std::string script = completion_script(*app.get_parent(), *shell);
    return {script, {{"script", script}}};
  };
}

}  // namespace halocline::tools
