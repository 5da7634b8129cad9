// SPDX-License-Identifier: BSD-3-Clause
// The one way to refuse a value, for the library itself.
#pragma once

#include "halocline/base/error.hpp"

#include <sstream>
#include <string>

namespace halocline {

/// The parts, printed one after the other.
template <class... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Throws Error{fault} with the parts as its text.
template <class... Parts>
[[noreturn]] void fail(Fault fault, const Parts&... parts) {
  throw Error(fault, concat(parts...));
}

/// Throws Error{invalid_argument} with the parts as its text unless `ok`. The text costs nothing otherwise.
template <class... Parts>
void require(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    fail(Fault::invalid_argument, parts...);
}

}  // namespace halocline
