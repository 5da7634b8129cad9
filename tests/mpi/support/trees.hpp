// What MPI implementations get wrong on some datatypes.
#pragma once

#include "halocline/describe/layout.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace halocline {

/// Is it so for the layout or any part of it?
template <class Predicate>
bool any_part(const Layout& layout, const Predicate& predicate) {
  return predicate(layout) || std::any_of(layout.members().begin(), layout.members().end(),
                                          [&](const Layout& member) { return any_part(member, predicate); });
}

/// Open MPI takes a stride of exactly -1 byte for "one block after the other".
inline bool has_default_stride_of_open_mpi([[maybe_unused]] const Layout& layout) {
#ifdef OPEN_MPI
  return any_part(layout, [](const Layout& part) {
    if (const auto* v = part.as<Layout::Hvector>()) return v->stride_bytes == -1;
    if (const auto* v = part.as<Layout::Vector>()) return v->stride * part.element().extent() == -1;
    return false;
  });
#else
  return false;
#endif
}

/// Has it elements of more than 16 bytes? Open MPI puts together what a long message has cut apart in a
/// buffer of 16, and the program ends.
inline bool has_wide_elements_of_open_mpi([[maybe_unused]] const Layout& layout) {
#ifdef OPEN_MPI
  return any_part(layout,
                  [](const Layout& part) { return part.as<Layout::Named>() != nullptr && part.size() > 16; });
#else
  return false;
#endif
}

/// Has it a struct with a member of no bytes? Open MPI counts the member for the bounds but forgets it in
/// packing. MPICH divides by its size: where the processor traps that, as x86 does, the program ends.
inline bool has_empty_member(const Layout& layout) {
  return any_part(layout, [](const Layout& part) {
    return part.as<Layout::Struct>() != nullptr &&
           std::any_of(part.members().begin(), part.members().end(),
                       [](const Layout& member) { return member.size() == 0; });
  });
}

/// Has it a negative extent inside? MPICH merges copies of copies as if bounds came from the first copy.
inline bool has_negative_extent_of_mpich([[maybe_unused]] const Layout& layout) {
#ifdef OPEN_MPI
  return false;
#else
  return any_part(layout, [](const Layout& part) { return part.extent() < 0; });
#endif
}

/// Has it elements that this MPI copies by value, so that bytes which carry nothing need not arrive? MPICH
/// does so with long doubles, of which x86 uses ten bytes of sixteen.
inline bool is_copied_by_value(const Layout& layout) {
#ifdef OPEN_MPI
  constexpr bool has_idle_bytes = false;
#else
  constexpr bool has_idle_bytes = std::numeric_limits<long double>::digits == 64;
#endif
  return has_idle_bytes && layout.to_text().find("long-double") != std::string::npos;
}

/// Is it one of the trees that this MPI packs as its own extents and the bytes of the buffer say?
inline bool is_packed_well(const Layout& layout) {
  return !has_empty_member(layout) && !has_negative_extent_of_mpich(layout) && !is_copied_by_value(layout);
}

}  // namespace halocline
