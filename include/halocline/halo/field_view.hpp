// SPDX-License-Identifier: BSD-3-Clause
// Where the values of a field lie in memory: one process's box of mesh points and the halo around it.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/lattice.hpp"
#include "halocline/describe/layout.hpp"

#include <array>
#include <complex>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace halocline {

/// Points beyond the own ones, for each dimension: before the first and behind the last. Zero is allowed.
struct HaloWidths {
  Counts low, high;

  HaloWidths() = default;
  HaloWidths(Counts both) : low(both), high(std::move(both)) {}  // NOLINT(google-explicit-constructor)
  HaloWidths(Counts its_low, Counts its_high) : low(std::move(its_low)), high(std::move(its_high)) {}
  bool operator==(const HaloWidths&) const = default;
};

/// A field as the exchange sees it. Does not own the values, unless they lie in a Field: those live as long
/// as any view of them.
class HALOCLINE_API FieldView {
 public:
  /// Points as described by `element` (a number, several components, a structure), the first own one at
  /// `origin`, neighbours along dimension d `strides[d]` bytes apart. Throws Error{invalid_dimensions} unless
  /// all lists have one entry a dimension, extents are positive, widths are not negative, and the addresses
  /// of all points fit in 64 bits; invalid_argument if a dimension of several points has no stride. A null
  /// pointer is refused by the Halo, on all ranks alike.
  FieldView(void* origin, Layout element, Counts extents, Counts strides, HaloWidths halo);
  /// Of nothing: it has no dimensions, and halos refuse it.
  FieldView();

  [[nodiscard]] std::size_t dimensions() const { return extents_.size(); }
  [[nodiscard]] void* origin() const { return origin_; }
  [[nodiscard]] const Layout& element() const { return element_; }
  /// Of the own points; along dimensions that the field is staggered along, the shared point included.
  [[nodiscard]] const Counts& extents() const { return extents_; }
  /// In bytes.
  [[nodiscard]] const Counts& strides() const { return strides_; }
  [[nodiscard]] const HaloWidths& halo() const { return halo_; }
  /// The dimensions that it is staggered along, in rising order.
  [[nodiscard]] const std::vector<std::size_t>& staggered() const { return staggered_; }

  /// The own points alone, or a part of what lies around them: `count` points from `first` on, counted from
  /// the first own point.
  struct Part {
    Cell first;
    Counts count;
  };
  /// The address of a point.
  [[nodiscard]] void* at(std::span<const Count> point) const;
  /// The points of `part`, from the dimension `order.front()`, slowest, to `order.back()`, from
  /// at(part.first) on.
  [[nodiscard]] Layout layout(const Part& part, std::span<const std::size_t> order) const;

  struct Memory;  ///< Of the implementation.

 private:
  friend const std::shared_ptr<Memory>& memory_of(const FieldView& view);
  friend FieldView kept_in(FieldView view, std::shared_ptr<Memory> memory);
  friend FieldView staggered(FieldView view, const std::vector<std::size_t>& dimensions);

  void* origin_;
  Layout element_;
  Counts extents_, strides_;
  HaloWidths halo_;
  std::vector<std::size_t> staggered_;
  std::shared_ptr<Memory> memory_;
};

/// The same array as a field with one point more than there are cells along some dimensions: values on faces
/// (one dimension), edges or nodes of the mesh. Of n + 1 points between the halos along such a dimension the
/// first n are own ones. The last is the first one of the next process, whose value it gets in an exchange,
/// as the halo behind it does; on the last process along an open dimension it is an own one. Throws
/// Error{invalid_dimensions} for a dimension that the field does not have or only one point along it,
/// invalid_argument if one is named twice.
[[nodiscard]] HALOCLINE_API FieldView staggered(FieldView view, const std::vector<std::size_t>& dimensions);

/// An array of the application: `extents` points in all, halo included, the first of them at `first`, in the
/// order of C or of Fortran. Throws Error{invalid_dimensions} if nothing is left between the halos; as
/// FieldView.
[[nodiscard]] HALOCLINE_API FieldView view(void* first, const Layout& element, const Counts& extents,
                                           const HaloWidths& halo, Layout::Order order = Layout::Order::c);
/// With any strides, in elements.
[[nodiscard]] HALOCLINE_API FieldView view(void* first, const Layout& element, const Counts& extents,
                                           const HaloWidths& halo, const Counts& strides);

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t size>
inline constexpr bool is_std_array<std::array<T, size>> = size > 0;

/// The elementary type of a number; none for what is no number to MPI's reductions: truth values, characters,
/// structures.
template <class T>
[[nodiscard]] constexpr std::optional<Elementary> number_type() {
  using E = Elementary;
  if constexpr (std::is_same_v<T, float>) return E::float_;
  if constexpr (std::is_same_v<T, double>) return E::double_;
  if constexpr (std::is_same_v<T, long double>) return E::long_double;
  if constexpr (std::is_same_v<T, std::complex<float>>) return E::c_float_complex;
  if constexpr (std::is_same_v<T, std::complex<double>>) return E::c_double_complex;
  if constexpr (std::is_same_v<T, std::complex<long double>>) return E::c_long_double_complex;
  if constexpr (std::is_same_v<T, signed char>) return E::int8;
  if constexpr (std::is_same_v<T, unsigned char>) return E::uint8;
  if constexpr (std::is_same_v<T, short>) return E::short_;
  if constexpr (std::is_same_v<T, unsigned short>) return E::unsigned_short;
  if constexpr (std::is_same_v<T, int>) return E::int_;
  if constexpr (std::is_same_v<T, unsigned>) return E::unsigned_;
  if constexpr (std::is_same_v<T, long>) return E::long_;
  if constexpr (std::is_same_v<T, unsigned long>) return E::unsigned_long;
  if constexpr (std::is_same_v<T, long long>) return E::long_long;
  if constexpr (std::is_same_v<T, unsigned long long>) return E::unsigned_long_long;
  return std::nullopt;
}

/// What one value of type T is to the exchange: a number, std::array or an array of numbers; otherwise its
/// bytes, which can be exchanged, but not added.
template <class T>
[[nodiscard]] Layout element_layout() {
  static_assert(std::is_trivially_copyable_v<T>, "values are copied byte by byte");
  using Value = std::remove_cv_t<T>;
  if constexpr (number_type<Value>().has_value()) {
    return Layout::named(*number_type<Value>());
  } else if constexpr (std::is_array_v<Value>) {
    return Layout::contiguous(static_cast<Count>(std::extent_v<Value>),
                              element_layout<std::remove_extent_t<Value>>());
  } else if constexpr (is_std_array<Value>) {
    return Layout::contiguous(static_cast<Count>(std::tuple_size_v<Value>),
                              element_layout<typename Value::value_type>());
  } else {
    return Layout::contiguous(static_cast<Count>(sizeof(T)), Layout::named(Elementary::byte));
  }
}

template <class T>
requires(!std::is_void_v<T>) [[nodiscard]] FieldView
    view(T* first, const Counts& extents, const HaloWidths& halo, Layout::Order order = Layout::Order::c) {
  return view(static_cast<void*>(first), element_layout<T>(), extents, halo, order);
}
template <class T>
requires(!std::is_void_v<T>) [[nodiscard]] FieldView
    view(T* first, const Counts& extents, const HaloWidths& halo, const Counts& strides) {
  return view(static_cast<void*>(first), element_layout<T>(), extents, halo, strides);
}

}  // namespace halocline
