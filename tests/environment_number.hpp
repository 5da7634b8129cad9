// Numbers in the environment variables of tests. One that cannot be read must not make a test look at
// nothing.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace halocline {

/// The value of `variable`, `otherwise` if it is not set. Throws std::invalid_argument unless it is a decimal
/// number from `least` on that fits.
template <std::integral Number>
[[nodiscard]] Number environment_number(const char* variable, Number otherwise, Number least = 1) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return otherwise;
  const char* const end = text + std::strlen(text);
  Number value{};
  const auto [stop, status] = std::from_chars(text, end, value);
  if (status == std::errc() && stop == end && value >= least) return value;
  throw std::invalid_argument(std::string(variable) + "=\"" + text + "\": it is a number from " +
                              std::to_string(least) + " on");
}

}  // namespace halocline
