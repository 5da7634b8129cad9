#include "halocline/halo/slot.hpp"

namespace halocline {

HaloSlot::HaloSlot(FieldView memory) { memories_.push_back(std::move(memory)); }

HaloSlot HaloSlot::of(std::initializer_list<HaloSlot> alternatives) {
  HaloSlot slot = *alternatives.begin();
  for (const HaloSlot* other = alternatives.begin() + 1; other != alternatives.end(); ++other)
    slot.memories_.insert(slot.memories_.end(), other->memories_.begin(), other->memories_.end());
  return slot;
}

}  // namespace halocline
