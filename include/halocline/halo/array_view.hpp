// SPDX-License-Identifier: BSD-3-Clause
// Arrays that know their shape: std::mdspan, and whatever has its members.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/halo/field_view.hpp"
#include "halocline/halo/member_layout.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace halocline {

/// What an array gives out is its element itself, not made of it by an accessor.
template <class Array>
inline constexpr bool gives_elements = true;
template <class Array>
requires requires { typename Array::reference; }
inline constexpr bool gives_elements<Array> =
    std::is_same_v<typename Array::reference, typename Array::element_type&>;

/// An array of any rank that tells where its elements lie: std::mdspan with any layout that has strides
/// (left, right, stride, padded ones), its reference implementation, and what has the same members. Elements
/// lie where data_handle(), which is a plain pointer to them, and the strides say; halos are written, so they
/// are not const.
template <class Array>
concept StridedArray = requires(const Array& array, std::size_t dimension) {
  typename Array::element_type;
  requires !std::is_const_v<typename Array::element_type>;
  requires !std::is_void_v<typename Array::element_type>;
  requires gives_elements<Array>;
  { array.rank() } -> std::convertible_to<std::size_t>;
  { array.extents().extent(dimension) } -> std::convertible_to<Count>;
  { array.stride(dimension) } -> std::convertible_to<Count>;
  requires std::same_as < std::remove_cvref_t<decltype(array.data_handle())>,
  typename Array::element_type* > ;
};

/// Which dimensions of an array are not of the mesh, where it has more than the halo has widths: the last
/// ones, as in u(x, y, component), or the first ones, as in u(component, x, y). They are the components of a
/// point, which are exchanged together, wherever they lie.
enum class Components { last, first };

/// Of the implementation: an array whose shape and strides, in elements, were read.
struct ArrayShape {
  void* first;
  Layout element;
  Count element_bytes;  ///< How far apart elements are: sizeof, whatever of them is exchanged.
  Counts extents, strides;
  bool strided = true;  ///< Has it strides at all?
};
/// Of the implementation.
[[nodiscard]] HALOCLINE_API FieldView view_of_shape(const ArrayShape& array, const HaloWidths& halo,
                                                    Components components);

/// Of the implementation.
template <StridedArray Array>
[[nodiscard]] ArrayShape shape_of(const Array& array, Layout element) {
  using T = typename Array::element_type;
  ArrayShape shape{array.data_handle(), std::move(element), sizeof(T), {}, {}};
  if constexpr (requires { array.is_strided(); }) shape.strided = array.is_strided();
  for (std::size_t d = 0; d < static_cast<std::size_t>(array.rank()); ++d) {
    shape.extents.push_back(static_cast<Count>(array.extents().extent(d)));
    shape.strides.push_back(shape.strided ? static_cast<Count>(array.stride(d)) : 0);
  }
  return shape;
}

/// The whole array, halo included: its extents are the own points and the halo on both sides, as in
/// view(first, extents, halo). If the halo has fewer widths than the array dimensions, the others are
/// components. Throws as view(); Error{invalid_dimensions} also if the halo has more widths than the array
/// dimensions, or none; invalid_argument if the array's layout has no strides. The view knows the array's
/// memory, not the object.
template <StridedArray Array>
[[nodiscard]] FieldView view(const Array& array, const HaloWidths& halo,
                             Components components = Components::last) {
  return view_of_shape(shape_of(array, element_layout<typename Array::element_type>()), halo, components);
}
/// Of an array of structures these members alone.
template <StridedArray Array, MemberOf<typename Array::element_type>... Members>
requires(sizeof...(Members) > 0) [[nodiscard]] FieldView
    view(const Array& array, const HaloWidths& halo, Members... members) {
  return view_of_shape(shape_of(array, member_layout<typename Array::element_type>(members...)), halo,
                       Components::last);
}

}  // namespace halocline
