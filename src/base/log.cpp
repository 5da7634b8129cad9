#include "base/log.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace halocline {

void log_line(std::string_view text) {
  const char* const wanted = std::getenv("HALOCLINE_LOG");
  if (wanted == nullptr || *wanted == '\0' || std::string_view(wanted) == "off") return;
  // In one piece, because other ranks write to the same place.
  const std::string line = "halocline: " + std::string(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

}  // namespace halocline
