// SPDX-License-Identifier: BSD-3-Clause
// Halos of Kokkos views. Include it in programs that use Kokkos; nothing else of Halocline needs it.
#pragma once

#include "halocline/base/cxx20.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/array_view.hpp"

#include <Kokkos_Core.hpp>

#include <string>
#include <string_view>
#include <type_traits>

namespace halocline {

/// Those of Kokkos know more of themselves than other arrays: see below.
template <class... Arguments>
inline constexpr bool gives_elements<Kokkos::View<Arguments...>> = false;

template <class T>
inline constexpr bool is_kokkos_view = false;
template <class... Arguments>
inline constexpr bool is_kokkos_view<Kokkos::View<Arguments...>> = true;

/// Any Kokkos::View that has strides: LayoutLeft, LayoutRight and LayoutStride, also padded ones and parts
/// that Kokkos::subview gave; its values are not const.
template <class View>
concept KokkosView = is_kokkos_view<View> && !std::is_const_v<typename View::value_type> &&
                     (std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft> ||
                      std::is_same_v<typename View::array_layout, Kokkos::LayoutRight> ||
                      std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>);

/// Of the implementation. Throws Error{unsupported} for memory that neither the host nor a CUDA device has.
template <KokkosView View>
[[nodiscard]] ArrayShape shape_of(const View& array, Layout element) {
  using Memory = typename View::memory_space;
  constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;
  if (!on_host && std::string_view(Memory::name()).substr(0, 4) != "Cuda")
    throw Error(Fault::unsupported, "a view in memory of " + std::string(Memory::name()) +
                                        "; halos know the host's and that of CUDA devices");
  ArrayShape shape{array.data(), std::move(element), sizeof(typename View::value_type), {}, {}};
  for (std::size_t d = 0; d < static_cast<std::size_t>(View::rank); ++d) {
    shape.extents.push_back(static_cast<Count>(array.extent(d)));
    shape.strides.push_back(static_cast<Count>(array.stride(d)));
  }
  return shape;
}

/// The whole view, halo included; if the halo has fewer widths than the view dimensions, the others are
/// components of a point: view(u, HaloWidths({1, 1, 1})). Memory of a device is known by its address. The
/// array must live as long as halos made of it: this does not count as a reference to it. Work on a device
/// must be done when an exchange starts: Kokkos::fence(), or halo.start(space.cuda_stream()). Throws as
/// view(array, halo, components) does, and Error{unsupported} for devices that halos do not know.
template <KokkosView View>
[[nodiscard]] FieldView view(const View& array, const HaloWidths& halo,
                             Components components = Components::last) {
  return view_of_shape(shape_of(array, element_layout<typename View::value_type>()), halo, components);
}
/// Of a view of structures these members alone.
template <KokkosView View, MemberOf<typename View::value_type>... Members>
requires(sizeof...(Members) > 0) [[nodiscard]] FieldView
    view(const View& array, const HaloWidths& halo, Members... members) {
  return view_of_shape(shape_of(array, member_layout<typename View::value_type>(members...)), halo,
                       Components::last);
}

}  // namespace halocline
