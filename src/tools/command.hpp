// What every subcommand of the halocline program is made of, and the table of them all.
#pragma once

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <span>
#include <string>

namespace halocline::tools {

/// The same answer for people and for programs.
struct Answer {  // NOLINT(bugprone-exception-escape): moving JSON may throw, says its library
  std::string text;
  nlohmann::ordered_json json;
};

/// Does the work once the command line has been read. Throws Error.
using Action = std::function<Answer()>;

struct Command {
  const char* name;
  const char* summary;
  const char* example;
  Action (*declare)(CLI::App& options);  ///< Adds the options of the command.
  bool alone = false;                    ///< Without MPI even where an MPI launcher started it.
};

/// Every subcommand, in the order of the help text. A new one is a file that defines it and a row here.
[[nodiscard]] std::span<const Command> commands();

// One for each file *_command.cpp.
[[nodiscard]] Action declare_bench(CLI::App& options);
[[nodiscard]] Action declare_completion(CLI::App& options);
[[nodiscard]] Action declare_doctor(CLI::App& options);
[[nodiscard]] Action declare_layout(CLI::App& options);
[[nodiscard]] Action declare_machine(CLI::App& options);
[[nodiscard]] Action declare_man(CLI::App& options);
[[nodiscard]] Action declare_map(CLI::App& options);
[[nodiscard]] Action declare_place(CLI::App& options);
[[nodiscard]] Action declare_plan(CLI::App& options);
[[nodiscard]] Action declare_run(CLI::App& options);
[[nodiscard]] Action declare_schedule(CLI::App& options);
[[nodiscard]] Action declare_shape(CLI::App& options);
[[nodiscard]] Action declare_simulate(CLI::App& options);

}  // namespace halocline::tools
