// SPDX-License-Identifier: BSD-3-Clause
// Memory on devices that programs may free while a halo still knows it.
#pragma once

#include "accelerate/device/device.hpp"
#include "halocline/halo/field_view.hpp"

#include <cstdint>
#include <vector>

namespace halocline::halo {

/// An allocation as it was when the halo was made.
struct KnownMemory {
  accelerate::Device* device;
  const std::byte* base;
  std::uint64_t number;
  std::size_t field;  ///< The first one that lies in it.

  /// Is it still the same one? A question to the driver.
  [[nodiscard]] bool is_there() const { return device->allocation_number(base) == number; }
};

/// All in which some of the fields lie, each once, as far as drivers tell. What the library has allocated
/// lives as long as the views of it, and is not among them.
[[nodiscard]] std::vector<KnownMemory> known_memory(const std::vector<FieldView>& fields);

}  // namespace halocline::halo
