// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "halocline/base/count.hpp"

#include <cstddef>
#include <cstdint>

namespace halocline::compile {

/// The byte `offset` after `base`. Counts on integers, because a base may be null and its offsets absolute.
[[nodiscard]] inline const std::byte* at(const std::byte* base, Count offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(base) +
                                            static_cast<std::uintptr_t>(offset));
}
[[nodiscard]] inline std::byte* at(std::byte* base, Count offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(base) +
                                      static_cast<std::uintptr_t>(offset));
}

}  // namespace halocline::compile
