// SPDX-License-Identifier: BSD-3-Clause
// What every subcommand of the halocline program is made of, and the table of them all.
#pragma once

#include "tools/common/options.hpp"

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
  Action (*declare)(Options& options);  ///< Adds the options of the command.
  bool alone = false;                   ///< Without MPI even where an MPI launcher started it.
};

/// Every subcommand, in the order of the help text. A new one is a file that defines it and a row here.
[[nodiscard]] std::span<const Command> commands();

// One for each file *_command.cpp.
[[nodiscard]] Action declare_bench(Options& options);
[[nodiscard]] Action declare_completion(Options& options);
[[nodiscard]] Action declare_doctor(Options& options);
[[nodiscard]] Action declare_layout(Options& options);
[[nodiscard]] Action declare_machine(Options& options);
[[nodiscard]] Action declare_man(Options& options);
[[nodiscard]] Action declare_map(Options& options);
[[nodiscard]] Action declare_place(Options& options);
[[nodiscard]] Action declare_plan(Options& options);
[[nodiscard]] Action declare_run(Options& options);
[[nodiscard]] Action declare_schedule(Options& options);
[[nodiscard]] Action declare_shape(Options& options);
[[nodiscard]] Action declare_simulate(Options& options);
[[nodiscard]] Action declare_trace(Options& options);
[[nodiscard]] Action declare_verify(Options& options);

}  // namespace halocline::tools
