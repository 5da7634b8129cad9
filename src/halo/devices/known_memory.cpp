// SPDX-License-Identifier: BSD-3-Clause
#include "halo/devices/known_memory.hpp"

#include "accelerate/devices.hpp"
#include "halo/fields/field_memory.hpp"

#include <algorithm>

namespace halocline::halo {

std::vector<KnownMemory> known_memory(const std::vector<FieldView>& fields) {
  std::vector<KnownMemory> known;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (memory_of(fields[f])) continue;
    const auto memory = accelerate::what_is(fields[f].origin());
    if (!memory) continue;
    const auto is_same = [&](const KnownMemory& other) { return other.base == memory->base; };
    if (std::any_of(known.begin(), known.end(), is_same)) continue;
    if (const auto number = memory->device->allocation_number(memory->base))
      known.push_back({memory->device, memory->base, *number, f});
  }
  return known;
}

}  // namespace halocline::halo
