// As much of std::mdspan as halos ask for: the compilers that we test with do not have it yet.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace halocline::small {

template <std::size_t Rank>
struct Extents {
  using index_type = int;
  std::array<int, Rank> list{};
  [[nodiscard]] constexpr int extent(std::size_t d) const { return list[d]; }
};

/// The last index runs fastest.
struct LayoutRight {
  template <std::size_t Rank>
  static std::array<std::size_t, Rank> strides(const Extents<Rank>& extents) {
    std::array<std::size_t, Rank> strides{};
    std::size_t stride = 1;
    for (std::size_t d = Rank; d-- > 0; stride *= static_cast<std::size_t>(extents.extent(d)))
      strides[d] = stride;
    return strides;
  }
};
/// The first one does.
struct LayoutLeft {
  template <std::size_t Rank>
  static std::array<std::size_t, Rank> strides(const Extents<Rank>& extents) {
    std::array<std::size_t, Rank> strides{};
    std::size_t stride = 1;
    for (std::size_t d = 0; d < Rank; stride *= static_cast<std::size_t>(extents.extent(d++)))
      strides[d] = stride;
    return strides;
  }
};
struct LayoutStride {};

template <class T, std::size_t Rank, class Layout = LayoutRight, class Reference = T&>
class Mdspan {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using extents_type = Extents<Rank>;
  using index_type = int;
  using size_type = unsigned;
  using rank_type = std::size_t;
  using layout_type = Layout;
  using data_handle_type = T*;
  using reference = Reference;

  Mdspan(T* data, Extents<Rank> extents)
      : data_(data), extents_(extents), strides_(Layout::strides(extents)) {}
  Mdspan(T* data, Extents<Rank> extents, std::array<std::size_t, Rank> strides)
      : data_(data), extents_(extents), strides_(strides) {}

  static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] const extents_type& extents() const noexcept { return extents_; }
  [[nodiscard]] int extent(std::size_t d) const noexcept { return extents_.extent(d); }
  [[nodiscard]] int stride(std::size_t d) const { return static_cast<int>(strides_[d]); }
  [[nodiscard]] bool is_strided() const { return strided; }
  [[nodiscard]] const data_handle_type& data_handle() const noexcept { return data_; }
  template <class... Indices>
  [[nodiscard]] T& operator()(Indices... indices) const {
    const std::array<std::size_t, Rank> point{static_cast<std::size_t>(indices)...};
    return at(point);
  }
  [[nodiscard]] T& at(const std::array<std::size_t, Rank>& point) const {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < Rank; ++d) offset += point[d] * strides_[d];
    return data_[offset];
  }

  bool strided = true;  ///< As a layout without strides would tell.

 private:
  T* data_;
  Extents<Rank> extents_;
  std::array<std::size_t, Rank> strides_;
};

}  // namespace halocline::small
