// SPDX-License-Identifier: BSD-3-Clause
// halocline run: a command, with the preload library in every MPI program that it starts, on all nodes, and
// with another one that gives ranks new numbers if there is an order.

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "base/split.hpp"
#include "base/text_file.hpp"
#include "halocline/base/error.hpp"
#include "place/order.hpp"
#include "tools/common/command.hpp"
#include "tools/common/own_library.hpp"
#include "tools/common/preloading.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halocline::tools {
namespace {

struct RunWords {
  std::string off;
  std::string order;
  bool log = false;
  std::vector<std::string> command;
};

constexpr std::array features{"reorder", "neighbor", "types"};
constexpr std::size_t most_bytes_of_order = std::size_t{1} << 33;

void switch_off(const std::string& feature) {
  for (const char* const known : features) {
    if (feature != known) continue;
    std::string variable = "HALOCLINE_" + feature;
    for (char& c : variable) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return set_variable(variable, "off");
  }
  fail(Fault::invalid_argument, "--off ", feature, ": there are reorder, neighbor and types");
}

/// Is there such a file, and is it an order? Whether it is for the job that is seen by the job.
void check_order(const std::string& path) {
  try {
    const std::optional<std::string> text = read_text_file(path, most_bytes_of_order);
    require(text.has_value(), "there is no such file");
    (void)place::Order::parse(*text);
  } catch (const Error& error) {
    fail(error.fault(), "--order ", path, ": ", error.what());
  }
}

Answer execute(const RunWords& words) {
  require(!words.command.empty(), "a command is missing; halocline run -- mpirun -n 64 ./app");
  const std::vector<std::string> off = listed_words(words.off);
  for (const std::string& feature : off) switch_off(feature);
  const auto is_off = [&](const char* feature) {
    return std::find(off.begin(), off.end(), feature) != off.end();
  };
  std::vector<std::filesystem::path> libraries;
  if (!words.order.empty()) {
    check_order(words.order);
    libraries.push_back(own_library(order_library));
    // Ranks may be started in another folder.
    set_variable(settings::rank_order.variable, std::filesystem::absolute(words.order).string());
  }
  if (words.order.empty() || !std::all_of(features.begin(), features.end(), is_off))
    libraries.push_back(own_library("libhalocline-preload.so"));
  if (words.log) set_variable(settings::log.variable, "info");
  become_preloaded(libraries, words.command);
}

}  // namespace

Action declare_run(Options& options) {
  const auto words = std::make_shared<RunWords>();
  options.add_option("--order", words->order,
                     "the file of an order: ranks of MPI_COMM_WORLD get the numbers that it says");
  options.add_option("--off", words->off, "leave to MPI what is listed: reorder,neighbor,types");
  options.add_flag("--log", words->log,
                   "at the end rank 0 says which calls were taken over, which were not, and why");
  options.add_option("command", words->command, "what to run, after --");
  return [words] { return execute(*words); };
}

}  // namespace halocline::tools
