// SPDX-License-Identifier: BSD-3-Clause
// What a halo is made of: slots, each of which has one of the memories it was made for at a time.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/halo/field.hpp"
#include "halocline/halo/field_view.hpp"

#include <concepts>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace halocline {

/// One field of a halo. It knows one memory or several; all of them are told to the neighbours when the halo
/// is made, and every exchange takes the one that the slot has at its start.
///
/// A slot of a Field follows that object: it has the memory that the object has, also after std::swap and
/// moves. If the object was moved from, that of the object it was moved to; if it was destroyed, its last.
/// A slot of a view has the memory of the view, or what Halo::start_with() named last.
class HALOCLINE_API HaloSlot {
 public:
  HaloSlot(FieldView memory);          // NOLINT(google-explicit-constructor)
  HaloSlot(const FieldStorage& field)  // NOLINT(google-explicit-constructor)
      : HaloSlot(field.view()) {
    followed_ = field.identity();
  }
  template <class T, std::size_t Rank, Layout::Order order>
  HaloSlot(const Field<T, Rank, order>& field)  // NOLINT(google-explicit-constructor)
      : HaloSlot(field.storage()) {}

  /// One slot that knows the memories of all of these and follows the first. @pre there is one
  [[nodiscard]] static HaloSlot of(const std::vector<HaloSlot>& alternatives);

  [[nodiscard]] const std::vector<FieldView>& memories() const { return memories_; }

 private:
  friend const std::shared_ptr<FieldIdentity>& followed_by(const HaloSlot& slot);

  std::vector<FieldView> memories_;
  std::shared_ptr<FieldIdentity> followed_;  ///< Null if it follows nothing.
};

/// Fields that change places from step to step: one of these memories is exchanged, the one that the object
/// `first` has when the exchange starts. All have the same widths and elements of the same size.
///
///   Halo halo(cart, rotating(now, next));
///   for (...) { halo.exchange(); step(now, next); std::swap(now, next); }
template <std::convertible_to<HaloSlot>... Others>
[[nodiscard]] HaloSlot rotating(const HaloSlot& first, const Others&... others) {
  return HaloSlot::of({first, HaloSlot(others)...});
}

/// The slots of a halo.
class HaloSlots {
 public:
  HaloSlots(std::initializer_list<HaloSlot> slots) : slots_(slots) {}
  HaloSlots(std::vector<HaloSlot> slots) : slots_(std::move(slots)) {}  // NOLINT(google-explicit-constructor)
  HaloSlots(const std::vector<FieldView>& fields)                       // NOLINT(google-explicit-constructor)
      : slots_(fields.begin(), fields.end()) {}

  [[nodiscard]] const std::vector<HaloSlot>& list() const { return slots_; }

 private:
  std::vector<HaloSlot> slots_;
};

}  // namespace halocline
