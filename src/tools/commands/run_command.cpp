// SPDX-License-Identifier: BSD-3-Clause
// halocline run: a command, with the preload library in every MPI program that it starts, on all nodes.

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "base/split.hpp"
#include "halocline/base/error.hpp"
#include "tools/common/command.hpp"
#include "tools/common/own_library.hpp"
#include "tools/common/preloading.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace halocline::tools {
namespace {

struct RunWords {
  std::string off;
  bool log = false;
  std::vector<std::string> command;
};

constexpr std::array features{"reorder", "neighbor", "types"};

void switch_off(const std::string& feature) {
  for (const char* const known : features) {
    if (feature != known) continue;
    std::string variable = "HALOCLINE_" + feature;
    for (char& c : variable) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return set_variable(variable, "off");
  }
  fail(Fault::invalid_argument, "--off ", feature, ": there are reorder, neighbor and types");
}

Answer execute(const RunWords& words) {
  require(!words.command.empty(), "a command is missing; halocline run -- mpirun -n 64 ./app");
  for (const std::string& feature : listed_words(words.off)) switch_off(feature);
  const std::filesystem::path library = own_library("libhalocline-preload.so");
  if (words.log) set_variable(settings::log.variable, "info");
  become_preloaded(library, words.command);
}

}  // namespace

Action declare_run(Options& options) {
  const auto words = std::make_shared<RunWords>();
  options.add_option("--off", words->off, "leave to MPI what is listed: reorder,neighbor,types");
  options.add_flag("--log", words->log,
                   "at the end rank 0 says which calls were taken over, which were not, and why");
  options.add_option("command", words->command, "what to run, after --");
  return [words] { return execute(*words); };
}

}  // namespace halocline::tools
