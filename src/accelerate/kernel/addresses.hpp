// SPDX-License-Identifier: BSD-3-Clause
// Addresses as numbers: those of a device are no pointers of this process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halocline::accelerate {

[[nodiscard]] inline std::uintptr_t number_of(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}
[[nodiscard]] inline std::byte* address_of(std::uintptr_t number) {
  return reinterpret_cast<std::byte*>(number);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace halocline::accelerate
