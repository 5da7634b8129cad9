// SPDX-License-Identifier: BSD-3-Clause
// The values of a field as an array of so many dimensions: what loops look at.
#pragma once

#include "halocline/base/cxx20.hpp"
#include "halocline/describe/layout.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace halocline {

/// A look at the values of a field, as std::mdspan is one: small, copied freely, good as long as their
/// memory. Indices count from the first own point; those below zero and from the extent on are the halo.
/// Points of the last dimension lie side by side, or of the first where `order` is that of Fortran; the
/// compiler knows it, so that a loop costs what it does over a plain array. const T for values that are only
/// read.
template <class T, std::size_t Rank, Layout::Order order = Layout::Order::c>
class FieldSpan {
  static_assert(Rank >= 1, "a field has one dimension at least");

 public:
  using element_type = T;
  static constexpr std::size_t rank() { return Rank; }
  static constexpr std::size_t unit_dimension = order == Layout::Order::c ? Rank - 1 : 0;

  FieldSpan() = default;
  /// The first own point, own points along each dimension, and how far apart they are, in values.
  /// @pre strides[unit_dimension] == 1
  FieldSpan(T* data, const std::array<Count, Rank>& extents, const std::array<Count, Rank>& strides)
      : data_(data), extents_(extents), strides_(strides) {}
  operator FieldSpan<const T, Rank, order>() const  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<T>) {
    return {data_, extents_, strides_};
  }

  /// @pre the point is an own one or in the halo
  template <std::integral... Indices>
  requires(sizeof...(Indices) == Rank) [[nodiscard]] T& operator()(Indices... indices) const {
    const std::array<Count, Rank> point{static_cast<Count>(indices)...};
    T* row = data_;
    for (std::size_t d = 0; d < Rank; ++d)
      if (d != unit_dimension) row += point[d] * strides_[d];
    return row[point[unit_dimension]];
  }
#if defined(__cpp_multidimensional_subscript)
  template <std::integral... Indices>
  requires(sizeof...(Indices) == Rank) [[nodiscard]] T& operator[](Indices... indices) const {
    return (*this)(indices...);
  }
#endif

  [[nodiscard]] T* data_handle() const { return data_; }
  [[nodiscard]] Count extent(std::size_t dimension) const { return extents_[dimension]; }
  [[nodiscard]] Count stride(std::size_t dimension) const { return strides_[dimension]; }

 private:
  T* data_ = nullptr;
  std::array<Count, Rank> extents_{}, strides_{};
};

}  // namespace halocline
