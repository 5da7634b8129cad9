// The exchange of programs without a library: one dimension after the other, with MPI_Sendrecv and subarrays
// that have all ghost points of the other dimensions.
#pragma once

#include "exchange/scattered_block.hpp"
#include "halo/points.hpp"
#include "halocline/halo/field_view.hpp"
#include "mpi/handles/handle.hpp"

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace halocline {

/// An array of the same points as a field, halo included, each of them as many bytes as an element has.
class DimensionByDimension {
 public:
  /// Of random values.
  DimensionByDimension(const FieldView& field, Random& random)
      : extents_(field.extents()), halo_(field.halo()), bytes_(field.element().size()) {
    Count size = bytes_;
    for (std::size_t d = 0; d < extents_.size(); ++d) size *= points(d);
    for (Count i = 0; i < size; ++i) memory_.push_back(static_cast<std::byte>(random()));
  }

  /// @pre the bytes of an element lie one behind the other, from the address of the point on
  void copy_to(const FieldView& field) const {
    for_each_point(extents_, halo_, [&](const Cell& point) {
      std::copy_n(at(point), bytes_, static_cast<std::byte*>(field.at(point)));
    });
  }
  [[nodiscard]] bool has_at(const Cell& point, const std::byte* value) const {
    return std::equal(value, value + bytes_, at(point));
  }

  /// In any order of dimensions. Collective.
  void exchange(MPI_Comm cart, const std::vector<std::size_t>& order) {
    for (const std::size_t d : order) {
      int down = MPI_PROC_NULL, up = MPI_PROC_NULL;
      MPI_Cart_shift(cart, static_cast<int>(d), 1, &down, &up);
      send_plane(cart, d, halo_.low[d], extents_[d], up, 0, down);
      send_plane(cart, d, halo_.high[d], halo_.low[d], down, halo_.low[d] + extents_[d], up);
    }
  }

 private:
  [[nodiscard]] Count points(std::size_t d) const { return halo_.low[d] + extents_[d] + halo_.high[d]; }
  [[nodiscard]] const std::byte* at(const Cell& point) const {
    Count place = 0;
    for (std::size_t d = 0; d < point.size(); ++d) place = place * points(d) + point[d] + halo_.low[d];
    return memory_.data() + place * bytes_;
  }

  /// So many planes from `first` on, counted from the first of all.
  [[nodiscard]] mpi::Datatype planes(std::size_t dimension, Count width, Count first) const {
    std::vector<int> sizes, some, starts(extents_.size(), 0);
    for (std::size_t d = 0; d < extents_.size(); ++d) sizes.push_back(static_cast<int>(points(d)));
    some = sizes;
    some[dimension] = static_cast<int>(width);
    starts[dimension] = static_cast<int>(first);
    mpi::Datatype element, type;
    MPI_Type_contiguous(static_cast<int>(bytes_), MPI_BYTE, element.put());
    MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), some.data(), starts.data(),
                             MPI_ORDER_C, element.get(), type.put());
    MPI_Type_commit(type.put());
    return type;
  }
  void send_plane(MPI_Comm cart, std::size_t d, Count width, Count from, int target, Count to, int source) {
    if (width == 0) return;
    const mpi::Datatype sent = planes(d, width, from), received = planes(d, width, to);
    MPI_Sendrecv(memory_.data(), 1, sent.get(), target, 0, memory_.data(), 1, received.get(), source, 0, cart,
                 MPI_STATUS_IGNORE);
  }

  Counts extents_;
  HaloWidths halo_;
  Count bytes_;
  std::vector<std::byte> memory_;
};

}  // namespace halocline
