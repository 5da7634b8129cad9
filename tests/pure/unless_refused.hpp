// What random cases make: it, or nothing where they are refused.
#pragma once

#include "halocline/base/error.hpp"

#include <optional>

namespace halocline {

template <class Make>
auto unless_refused(const Make& make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace halocline
