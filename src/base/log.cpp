// SPDX-License-Identifier: BSD-3-Clause
#include "base/log.hpp"

#include "base/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace halocline {

namespace {

/// In one piece, because other ranks write to the same place.
void write_line(std::string_view text) {
  const std::string line = "halocline: " + std::string(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

}  // namespace

void log_line(std::string_view text) {
  const char* const wanted = std::getenv(settings::log.variable);
  if (wanted == nullptr || *wanted == '\0' || std::string_view(wanted) == "off") return;
  write_line(text);
}

void say_once(const std::string& text) {
  static std::mutex one_at_a_time;
  static std::set<std::string> said;
  const std::scoped_lock lock(one_at_a_time);
  if (said.insert(text).second) write_line(text);
}

}  // namespace halocline
