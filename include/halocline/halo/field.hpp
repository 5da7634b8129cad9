// SPDX-License-Identifier: BSD-3-Clause
// A field of the library: memory for one process's box of mesh points and the halo around it.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/base/error.hpp"
#include "halocline/halo/allocator_resource.hpp"
#include "halocline/halo/field_span.hpp"
#include "halocline/halo/field_view.hpp"
#include "halocline/mpi/cart.hpp"

#include <array>
#include <concepts>
#include <memory>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

namespace halocline {

struct FieldIdentity;  // of the implementation: tells halos which memory a field object has

/// Where a field of the library lies: on the host, or on the device that the process uses, which a GPU is:
/// its current one, or one that it is dealt if it has used none. As words the same.
enum class FieldMemory { host, device };

struct FieldOptions {
  /// The widths of the halo; if there are none, those the Cart was made for.
  HaloWidths halo = {};
  /// In memory that the processes of a node share, so that neighbours copy straight from it. Where that
  /// cannot be had, the memory is private.
  bool shared = true;
  /// Whose points lie side by side: those of the last dimension (c) or those of the first (fortran).
  Layout::Order order = Layout::Order::c;
  /// On a device the field has addresses, for kernels and for halos, but no values that this process could
  /// read: view() and data() are of use, () is not. `shared` means nothing there.
  FieldMemory memory = FieldMemory::host;
  /// Dimensions along which it has one point more than there are cells: {0} for values on the faces across
  /// dimension 0, all of them for values on nodes. See staggered().
  std::vector<std::size_t> staggered = {};
  /// Whose memory it lies in, on the host: asked once, aligned to a cache line, and given back when the field
  /// and all halos of it are gone, so it lives as long as these. Each process says for itself which it is.
  /// Such a field is private: `shared` is taken for false.
  std::pmr::memory_resource* memory_resource = nullptr;
};

/// The memory of a field; what Field<T> is without T.
class HALOCLINE_API FieldStorage {
 public:
  /// Collective over the Cart's communicator. Throws the same Error on every rank: invalid_argument if the
  /// Cart was made for a grid and not for a mesh, if the process takes no part in it, or if ranks differ in
  /// the options, or in the extent or the bytes of the element; invalid_type if the element reaches beyond
  /// its extent; invalid_dimensions as FieldView; out_of_memory; unsupported if it is to lie on a device and
  /// there is none. The first own point is at a cache line;
  /// rows are not a power of two apart.
  FieldStorage(const Cart& cart, const Layout& element, const FieldOptions& options);
  /// The same in memory of this resource, which lives as long as the memory does. @pre it is not null
  FieldStorage(const Cart& cart, const Layout& element, const FieldOptions& options,
               std::shared_ptr<std::pmr::memory_resource> resource);
  /// On any Cartesian communicator whose grid is that of the decomposition; the options name the halo.
  FieldStorage(MPI_Comm cart, const Decomposition& decomposition, const Layout& element,
               const FieldOptions& options);

  /// Without points, until another is assigned to it; no halo is made of it. Local.
  FieldStorage();
  /// Has it no points, since it was made of nothing or moved from?
  [[nodiscard]] bool empty() const noexcept { return view_.dimensions() == 0; }

  /// Halos of the object that is moved from follow its memory to the new one, until it gets another memory.
  /// Halos of the object that is assigned to stay with it. Memory runs out at the cost of the program's end.
  FieldStorage(FieldStorage&& other) noexcept;
  FieldStorage& operator=(FieldStorage&& other) noexcept;
  ~FieldStorage();

  [[nodiscard]] const FieldView& view() const { return view_; }
  /// Of its points, shared ones included, by their coordinates in the mesh. The last one along a dimension
  /// that is periodic may be as many as the mesh has: it is number 0.
  [[nodiscard]] const Box& box() const { return box_; }
  /// The points of box() that this process owns: all, unless the field is staggered.
  [[nodiscard]] const Box& owned() const { return owned_; }

 private:
  friend class HaloSlot;

  /// For halos that follow it.
  [[nodiscard]] const std::shared_ptr<FieldIdentity>& identity() const;
  void take_place_of(FieldStorage& other);

  Box owned_;
  FieldView view_;
  Box box_;
  mutable std::shared_ptr<FieldIdentity> identity_;  ///< Null until a halo follows it.
};

/// For the rank of a field whose dimensions are known when the program runs.
inline constexpr std::size_t dynamic_rank = static_cast<std::size_t>(-1);

template <class T, std::size_t Rank = dynamic_rank, Layout::Order order = Layout::Order::c>
class Field;

/// The values at the points of this process, and around them, as an array of `Rank` dimensions. Indices count
/// from the first own point; those below zero and from the extent on are the halo. All values are zero at
/// first. Points of the last dimension lie side by side, or those of the first where `order` is that of
/// Fortran. A Halo follows the object: when two fields are swapped, it exchanges what the object has then,
/// see HaloSlot. A field that was moved from has no points; no halo is made of it.
template <class T, std::size_t Rank, Layout::Order order>
class Field {
  static_assert(std::is_trivially_copyable_v<T>, "values are copied byte by byte");

 public:
  using Span = FieldSpan<T, Rank, order>;
  using ConstSpan = FieldSpan<const T, Rank, order>;

  /// On the mesh of the Cart; the order is that of the type, whatever the options say. Collective. Throws as
  /// FieldStorage does, the same on every rank; invalid_dimensions if the mesh has other dimensions.
  explicit Field(const Cart& cart, const FieldOptions& options = {})
      : storage_(for_rank(cart), element_layout<T>(), ordered(options)), span_(span_of(storage_)) {}
  /// In private memory that a copy of the allocator gets, and frees when the field and all halos of it are
  /// gone. Its pointers are plain ones.
  template <class Allocator>
  Field(const Cart& cart, const FieldOptions& options, const Allocator& allocator)
      : storage_(for_rank(cart), element_layout<T>(), ordered(options), resource_of(allocator)),
        span_(span_of(storage_)) {}
  /// Without points, until another is assigned to it; no halo is made of it. Local.
  Field() = default;
  /// Has it no points, since it was made of nothing or moved from?
  [[nodiscard]] bool empty() const noexcept { return storage_.empty(); }

  Field(Field&& other) noexcept
      : storage_(std::move(other.storage_)), span_(std::exchange(other.span_, {})) {}
  Field& operator=(Field&& other) noexcept {
    storage_ = std::move(other.storage_);
    span_ = std::exchange(other.span_, {});
    return *this;
  }
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;
  ~Field() = default;

  /// The value at a local point. @pre the point is an own one or in the halo
  template <std::integral... Indices>
  requires(sizeof...(Indices) == Rank) [[nodiscard]] T& operator()(Indices... indices) {
    return span_(indices...);
  }
  template <std::integral... Indices>
  requires(sizeof...(Indices) == Rank) [[nodiscard]] const T& operator()(Indices... indices) const {
    return span_(indices...);
  }

  /// For loops: it lies in registers, whatever is written through it.
  [[nodiscard]] Span view() { return span_; }
  [[nodiscard]] ConstSpan view() const { return span_; }

  [[nodiscard]] static constexpr std::size_t dimensions() { return Rank; }
  /// The own points along a dimension, with the shared one of a staggered field.
  [[nodiscard]] Count extent(std::size_t dimension) const { return span_.extent(dimension); }
  /// The mesh coordinate of the first own point.
  [[nodiscard]] Count first(std::size_t dimension) const { return box().first[dimension]; }
  [[nodiscard]] const Box& box() const { return storage_.box(); }
  /// What of it this process owns: all, unless the field is staggered.
  [[nodiscard]] const Box& owned() const { return storage_.owned(); }
  /// The first own point; neighbours along a dimension are stride(dimension) values apart.
  [[nodiscard]] T* data() { return span_.data_handle(); }
  [[nodiscard]] const T* data() const { return span_.data_handle(); }
  [[nodiscard]] Count stride(std::size_t dimension) const { return span_.stride(dimension); }

  [[nodiscard]] const FieldStorage& storage() const { return storage_; }
  operator const FieldView&() const { return storage_.view(); }  // NOLINT(google-explicit-constructor)

 private:
  static const Cart& for_rank(const Cart& cart) {
    if (cart.grid().dimensions() != Rank)
      throw Error(Fault::invalid_dimensions, "a field of rank " + std::to_string(Rank) + " on a mesh of " +
                                                 std::to_string(cart.grid().dimensions()) + " dimensions");
    return cart;
  }
  static FieldOptions ordered(FieldOptions options) {
    options.order = order;
    return options;
  }
  static Span span_of(const FieldStorage& storage) {
    std::array<Count, Rank> extents{}, strides{};
    for (std::size_t d = 0; d < Rank; ++d) {
      extents[d] = storage.view().extents()[d];
      strides[d] = storage.view().strides()[d] / static_cast<Count>(sizeof(T));
    }
    return {static_cast<T*>(storage.view().origin()), extents, strides};
  }

  FieldStorage storage_;
  Span span_;
};

/// The same where the number of dimensions is known when the program runs. The order is that of the options,
/// and loops cost more: no stride is known.
template <class T>
class Field<T, dynamic_rank, Layout::Order::c> {
  static_assert(std::is_trivially_copyable_v<T>, "values are copied byte by byte");

 public:
  /// On the mesh of the Cart. Collective. Throws as FieldStorage does, the same on every rank.
  explicit Field(const Cart& cart, const FieldOptions& options = {})
      : Field(FieldStorage(cart, element_layout<T>(), options)) {}
  /// In private memory that a copy of the allocator gets, and frees when the field and all halos of it are
  /// gone. Its pointers are plain ones.
  template <class Allocator>
  Field(const Cart& cart, const FieldOptions& options, const Allocator& allocator)
      : Field(FieldStorage(cart, element_layout<T>(), options, resource_of(allocator))) {}
  /// Without points, until another is assigned to it; no halo is made of it. Local.
  Field() = default;
  /// Has it no points, since it was made of nothing or moved from?
  [[nodiscard]] bool empty() const noexcept { return storage_.empty(); }

  Field(Field&& other) noexcept
      : storage_(std::move(other.storage_)),
        data_(std::exchange(other.data_, nullptr)),
        strides_(std::move(other.strides_)) {}
  Field& operator=(Field&& other) noexcept {
    storage_ = std::move(other.storage_);
    data_ = std::exchange(other.data_, nullptr);
    strides_ = std::move(other.strides_);
    return *this;
  }
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  /// The value at a local point. @pre as many indices as dimensions; the point is an own one or in the halo
  template <std::integral... Indices>
  [[nodiscard]] T& operator()(Indices... indices) {
    return data_[offset_of(indices...)];
  }
  template <std::integral... Indices>
  [[nodiscard]] const T& operator()(Indices... indices) const {
    return data_[offset_of(indices...)];
  }

  [[nodiscard]] std::size_t dimensions() const { return view().dimensions(); }
  /// The own points along a dimension, with the shared one of a staggered field.
  [[nodiscard]] Count extent(std::size_t dimension) const { return box().extents[dimension]; }
  /// The mesh coordinate of the first own point.
  [[nodiscard]] Count first(std::size_t dimension) const { return box().first[dimension]; }
  [[nodiscard]] const Box& box() const { return storage_.box(); }
  /// What of it this process owns: all, unless the field is staggered.
  [[nodiscard]] const Box& owned() const { return storage_.owned(); }
  /// The first own point; neighbours along a dimension are stride(dimension) values apart.
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] Count stride(std::size_t dimension) const { return strides_[dimension]; }

  [[nodiscard]] const FieldStorage& storage() const { return storage_; }
  [[nodiscard]] const FieldView& view() const { return storage_.view(); }
  operator const FieldView&() const { return view(); }  // NOLINT(google-explicit-constructor)

 private:
  explicit Field(FieldStorage storage)
      : storage_(std::move(storage)), data_(static_cast<T*>(view().origin())) {
    for (const Count bytes : view().strides()) strides_.push_back(bytes / static_cast<Count>(sizeof(T)));
  }
  template <class... Indices>
  [[nodiscard]] Count offset_of(Indices... indices) const {
    const std::array<Count, sizeof...(Indices)> point{static_cast<Count>(indices)...};
    Count offset = 0;
    for (std::size_t d = 0; d < point.size(); ++d) offset += point[d] * strides_[d];
    return offset;
  }

  FieldStorage storage_;
  T* data_ = nullptr;
  Counts strides_;
};

}  // namespace halocline
