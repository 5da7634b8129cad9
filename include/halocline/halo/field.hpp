// A field of the library: memory for one process's box of mesh points and the halo around it.
#pragma once

#include "halocline/halo/field_view.hpp"
#include "halocline/mpi/cart.hpp"

#include <array>
#include <concepts>
#include <memory>
#include <utility>

namespace halocline {

struct FieldIdentity;  // of the implementation: tells halos which memory a field object has

struct FieldOptions {
  /// The widths of the halo; if there are none, those the Cart was made for.
  HaloWidths halo = {};
  /// In memory that the processes of a node share, so that neighbours copy straight from it. Where that
  /// cannot be had, the memory is private.
  bool shared = true;
  /// Whose points lie side by side: those of the last dimension (c) or those of the first (fortran).
  Layout::Order order = Layout::Order::c;
};

/// The memory of a field; what Field<T> is without T.
class FieldStorage {
 public:
  /// Collective over the Cart's communicator. Throws the same Error on every rank: invalid_argument if the
  /// Cart was made for a grid and not for a mesh, if the process takes no part in it, or if ranks differ in
  /// the options, or in the extent or the bytes of the element; invalid_type if the element reaches beyond
  /// its extent; invalid_dimensions as FieldView; out_of_memory. The first own point is at a cache line;
  /// rows are not a power of two apart.
  FieldStorage(const Cart& cart, const Layout& element, const FieldOptions& options);
  /// On any Cartesian communicator whose grid is that of the decomposition; the options name the halo.
  FieldStorage(MPI_Comm cart, const Decomposition& decomposition, const Layout& element,
               const FieldOptions& options);

  /// Halos of the object that is moved from follow its memory to the new one, until it gets another memory.
  /// Halos of the object that is assigned to stay with it. Memory runs out at the cost of the program's end.
  FieldStorage(FieldStorage&& other) noexcept;
  FieldStorage& operator=(FieldStorage&& other) noexcept;
  ~FieldStorage();

  [[nodiscard]] const FieldView& view() const { return view_; }
  [[nodiscard]] const Box& box() const { return box_; }
  /// For halos that follow it.
  [[nodiscard]] const std::shared_ptr<FieldIdentity>& identity() const;

 private:
  void take_place_of(FieldStorage& other);

  Box box_;
  FieldView view_;
  mutable std::shared_ptr<FieldIdentity> identity_;  ///< Null until a halo follows it.
};

/// The values of type T at the points of this process, and around them. Indices count from the first own
/// point; those below zero and from the extent on are the halo. All values are zero at first. A Halo follows
/// the object: when two fields are swapped, it exchanges what the object has then, see HaloSlot. A field that
/// was moved from has no dimensions and no points; no halo is made of it.
template <class T>
class Field {
  static_assert(std::is_trivially_copyable_v<T>, "values are copied byte by byte");

 public:
  /// On the mesh of the Cart. Collective. Throws as FieldStorage does, the same on every rank.
  explicit Field(const Cart& cart, const FieldOptions& options = {})
      : storage_(cart, element_layout<T>(), options), data_(static_cast<T*>(view().origin())) {
    for (const Count bytes : view().strides()) strides_.push_back(bytes / static_cast<Count>(sizeof(T)));
  }

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
  [[nodiscard]] T& operator()(Indices... indices) const {
    const std::array<Count, sizeof...(Indices)> point{static_cast<Count>(indices)...};
    Count offset = 0;
    for (std::size_t d = 0; d < point.size(); ++d) offset += point[d] * strides_[d];
    return data_[offset];
  }

  [[nodiscard]] std::size_t dimensions() const { return view().dimensions(); }
  /// The own points along a dimension.
  [[nodiscard]] Count extent(std::size_t dimension) const { return box().extents[dimension]; }
  /// The mesh coordinate of the first own point.
  [[nodiscard]] Count first(std::size_t dimension) const { return box().first[dimension]; }
  [[nodiscard]] const Box& box() const { return storage_.box(); }
  /// The first own point; neighbours along a dimension are stride(dimension) values apart.
  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] Count stride(std::size_t dimension) const { return strides_[dimension]; }

  [[nodiscard]] const FieldStorage& storage() const { return storage_; }
  [[nodiscard]] const FieldView& view() const { return storage_.view(); }
  operator const FieldView&() const { return view(); }  // NOLINT(google-explicit-constructor)

 private:
  FieldStorage storage_;
  T* data_;
  Counts strides_;
};

}  // namespace halocline
