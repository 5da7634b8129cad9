// Of Kokkos's interface what halocline/kokkos.hpp asks for, with views of memory that somebody else has.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace Kokkos {

struct LayoutLeft {};
struct LayoutRight {};
struct LayoutStride {};
struct LayoutTiled {};

struct HostSpace {
  static constexpr const char* name() { return "Host"; }
};
struct CudaSpace {
  static constexpr const char* name() { return "Cuda"; }
};
struct HIPSpace {
  static constexpr const char* name() { return "HIP"; }
};
template <class Accessing, class Memory>
struct SpaceAccessibility {
  enum : bool { accessible = std::is_same_v<Accessing, Memory> };
};

namespace Impl {

/// double**[3]: two dimensions that are told when it is made, and one that is known.
template <class Data>
struct Dimensions {
  using value_type = Data;
  static constexpr std::size_t rank = 0;
  static void known(std::size_t* /*extents*/) {}
};
template <class Data>
struct Dimensions<Data*> {
  using value_type = typename Dimensions<Data>::value_type;
  static constexpr std::size_t rank = Dimensions<Data>::rank + 1;
  static void known(std::size_t* extents) { Dimensions<Data>::known(extents); }
};
template <class Data, std::size_t size>
struct Dimensions<Data[size]> {
  using value_type = typename Dimensions<Data>::value_type;
  static constexpr std::size_t rank = Dimensions<Data>::rank + 1;
  static void known(std::size_t* extents) { *extents = size; }
};

}  // namespace Impl

template <class Data, class Layout = LayoutRight, class Memory = HostSpace>
class View {
  using Dimensions = Impl::Dimensions<Data>;

 public:
  using value_type = typename Dimensions::value_type;
  using array_layout = Layout;
  using memory_space = Memory;
  using reference_type = value_type&;
  enum { rank = Dimensions::rank };

  View(value_type* data, std::array<std::size_t, rank> extents) : data_(data), extents_(extents) {
    if constexpr (rank > 0) Dimensions::known(&extents_[rank - 1]);
    std::size_t stride = 1;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::size_t d = std::is_same_v<Layout, LayoutLeft> ? i : rank - 1 - i;
      strides_[d] = stride;
      // As padding does, where an odd extent is the fastest.
      stride *= i == 0 ? extents_[d] + extents_[d] % 2 : extents_[d];
    }
    span_ = stride;
  }
  [[nodiscard]] value_type* data() const { return data_; }
  template <class Dimension>
  [[nodiscard]] std::size_t extent(Dimension d) const {
    return extents_[static_cast<std::size_t>(d)];
  }
  template <class Dimension>
  [[nodiscard]] std::size_t stride(Dimension d) const {
    return strides_[static_cast<std::size_t>(d)];
  }
  [[nodiscard]] std::size_t span() const { return span_; }
  template <class... Indices>
  value_type& operator()(Indices... indices) const {
    const std::array<std::size_t, rank> point{static_cast<std::size_t>(indices)...};
    std::size_t offset = 0;
    for (std::size_t d = 0; d < rank; ++d) offset += point[d] * strides_[d];
    return data_[offset];
  }

 private:
  value_type* data_;
  std::array<std::size_t, rank> extents_, strides_{};
  std::size_t span_ = 0;
};

}  // namespace Kokkos
