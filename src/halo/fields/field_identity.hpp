// SPDX-License-Identifier: BSD-3-Clause
// Which memory a field object has: what halos ask that follow it.
#pragma once

#include "halocline/halo/slot.hpp"

#include <memory>

namespace halocline {

/// Of one FieldStorage object, for as long as it or a halo that follows it lives. Memories are told by the
/// address of their first own point.
struct FieldIdentity {
  const void* memory = nullptr;                   ///< Null once it was moved from;
  std::shared_ptr<FieldIdentity> heir = {};       ///< then, of the object that got it.
  bool gone = false;                              ///< Was the object destroyed?
  std::weak_ptr<FieldView::Memory> storage = {};  ///< What `memory` is a place in.

  /// What the object has, or had in the end; after a move what its heir has. Heirs make no circle: only who
  /// has nothing has one.
  [[nodiscard]] const void* current() const { return now().memory; }
  /// The object that has it.
  [[nodiscard]] const FieldIdentity& now() const {
    const FieldIdentity* who = this;
    while (who->memory == nullptr && who->heir) who = who->heir.get();
    return *who;
  }
  /// Whom to ask from now on: an object that was moved from and destroyed gets no memory again.
  static void skip_gone(std::shared_ptr<FieldIdentity>& followed) {
    while (followed->gone && followed->memory == nullptr && followed->heir)
      followed = std::shared_ptr(followed->heir);
  }
};

/// Null if the slot follows nothing.
[[nodiscard]] inline const std::shared_ptr<FieldIdentity>& followed_by(const HaloSlot& slot) {
  return slot.followed_;
}

}  // namespace halocline
