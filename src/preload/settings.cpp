#include "preload/settings.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

namespace halocline::preload {
namespace {

bool is_off(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && (std::string_view(value) == "off" || std::string_view(value) == "0");
}

}  // namespace

bool is_on(Feature feature) {
  static const std::array on{!is_off("HALOCLINE_REORDER"), !is_off("HALOCLINE_NEIGHBOR"),
                             !is_off("HALOCLINE_TYPES")};
  return on[static_cast<std::size_t>(feature)];
}

bool wants_eager_links() {
  const char* const value = std::getenv("HALOCLINE_NEIGHBOR");
  return value != nullptr && std::string_view(value) == "eager";
}

bool wants_log() {
  const char* const value = std::getenv("HALOCLINE_LOG");
  return value != nullptr && *value != '\0' && !is_off("HALOCLINE_LOG");
}

}  // namespace halocline::preload
