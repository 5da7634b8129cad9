// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/halo/slot.hpp"

namespace halocline {

HaloSlot::HaloSlot(FieldView memory) { memories_.push_back(std::move(memory)); }

HaloSlot HaloSlot::of(const std::vector<HaloSlot>& alternatives) {
  HaloSlot slot = alternatives.front();
  for (std::size_t i = 1; i < alternatives.size(); ++i)
    slot.memories_.insert(slot.memories_.end(), alternatives[i].memories_.begin(),
                          alternatives[i].memories_.end());
  return slot;
}

}  // namespace halocline
