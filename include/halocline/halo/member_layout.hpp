// SPDX-License-Identifier: BSD-3-Clause
// Some members of a structure as the element of a field: the rest of it is neither read nor written.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/halo/field_view.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace halocline {

/// Of the implementation: a member, and where it lies in its structure.
struct MemberPlace {
  Count offset, bytes;
  Layout layout;
};
/// Of the implementation. Throws Error{invalid_argument} if two of them have bytes in common.
[[nodiscard]] HALOCLINE_API Layout members_as_element(const std::vector<MemberPlace>& members,
                                                      Count structure_bytes);

template <class T>
inline constexpr bool is_member_object = std::is_member_object_pointer_v<T>;

/// A pointer to data that structures of this type have, of their own or from a base.
template <class Member, class Structure>
concept MemberOf = is_member_object<Member> && requires(const Structure& structure, Member member) {
  structure.*member;
};

/// Where a member lies in structures of that type. A structure without an object: its address is asked for,
/// and nothing is read.
template <class Structure, MemberOf<Structure> Member>
[[nodiscard]] MemberPlace place_of(Member member) {
  using Value = std::remove_cvref_t<decltype(std::declval<const Structure&>().*member)>;
  union Room {
    char nothing;
    Structure structure;
    Room() : nothing(0) {}
    ~Room() {}  // NOLINT(modernize-use-equals-default): the structure may need one
  } const room;
  const auto* const begin = reinterpret_cast<const char*>(std::addressof(room.structure));
  const auto* const there = reinterpret_cast<const char*>(std::addressof(room.structure.*member));
  return {there - begin, static_cast<Count>(sizeof(Value)), element_layout<Value>()};
}

/// The layout of structures of which these members are exchanged: as the element of a FieldStorage, or of a
/// view. Members are what element_layout() takes: numbers, arrays of them; other structures as their bytes.
/// Throws Error{invalid_argument} if two of them have bytes in common, or one is named twice.
template <class Structure, MemberOf<Structure>... Members>
requires(sizeof...(Members) > 0) [[nodiscard]] Layout member_layout(Members... members) {
  return members_as_element({place_of<Structure>(members)...}, static_cast<Count>(sizeof(Structure)));
}

/// An array of structures, as view(first, extents, halo, order), of which these members alone are exchanged:
/// view(particles, {66, 66}, HaloWidths({1, 1}), &Particle::velocity, &Particle::mass).
template <class Structure, MemberOf<Structure>... Members>
requires(sizeof...(Members) > 0) [[nodiscard]] FieldView
    view(Structure* first, const Counts& extents, const HaloWidths& halo, Members... members) {
  return view(static_cast<void*>(first), member_layout<Structure>(members...), extents, halo);
}
template <class Structure, MemberOf<Structure>... Members>
requires(sizeof...(Members) > 0) [[nodiscard]] FieldView
    view(Structure* first, const Counts& extents, const HaloWidths& halo, Layout::Order order,
         Members... members) {
  return view(static_cast<void*>(first), member_layout<Structure>(members...), extents, halo, order);
}
/// With any strides, in structures.
template <class Structure, MemberOf<Structure>... Members>
requires(sizeof...(Members) > 0) [[nodiscard]] FieldView
    view(Structure* first, const Counts& extents, const HaloWidths& halo, const Counts& strides,
         Members... members) {
  return view(static_cast<void*>(first), member_layout<Structure>(members...), extents, halo, strides);
}

}  // namespace halocline
