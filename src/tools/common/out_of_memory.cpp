// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/out_of_memory.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>

#include <sys/resource.h>
#include <unistd.h>

namespace halocline::tools {
namespace {

constexpr double gigabyte = 1e9;

/// That of the machine, or what limits leave of it to this process.
double memory_bytes() {
  double bytes = to_double(sysconf(_SC_PHYS_PAGES)) * to_double(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, to_double(limit.rlim_cur));
  return bytes;
}

double most_so_far() {
  rusage usage{};
  (void)getrusage(RUSAGE_SELF, &usage);
  constexpr double kibibyte = 1024;
  return kibibyte * to_double(usage.ru_maxrss);
}

/// As they were given: "--tasks 8x9 --rotate".
std::string given(const CLI::App& command) {
  std::string words;
  for (const CLI::Option* const option : command.get_options()) {
    if (option->count() == 0) continue;
    if (!option->get_positional()) words += " " + option->get_name();
    if (option->get_expected_max() == 0) continue;
    for (const std::string& value : option->results()) words += " " + value;
  }
  for (const CLI::App* const below : command.get_subcommands())
    words += " " + below->get_name() + given(*below);
  return words;
}

}  // namespace

std::string out_of_memory_text(const CLI::App& command) {
  return fmt::format(
      "out of memory: {}{} asks for more than there is ({:.1f} GB, of which it had {:.1f}); smaller numbers "
      "in these options take less",
      command.get_name(), given(command), memory_bytes() / gigabyte, most_so_far() / gigabyte);
}

void require_memory(const std::string& what, double bytes) {
  if (const double there = memory_bytes(); bytes > there)
    fail(Fault::out_of_memory, what, " take about ", fmt::format("{:.1f}", bytes / gigabyte),
         " GB; there are ", fmt::format("{:.1f}", there / gigabyte));
}

}  // namespace halocline::tools
