// SPDX-License-Identifier: BSD-3-Clause
// From one layout straight to another one, for what a process sends to itself.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/compile/packer.hpp"

#include <vector>

namespace halocline::compile {

/// Copies the stream of `from` into the places of `to`: directly where both are the same loops at different
/// distances (a face and the margin it belongs to) or one side is contiguous, otherwise through a buffer that
/// stays in the nearest cache. An immutable value; any thread may use it. The source and the destination must
/// not overlap.
class HALOCLINE_API Copier {
 public:
  /// Throws Error{invalid_argument} if the streams differ in length.
  Copier(Packer from, Packer to);

  [[nodiscard]] Count bytes() const { return from_.bytes(); }
  void copy(const std::byte* from_base, std::byte* to_base) const;

  /// Part `part` of `parts` of about the same size: together they copy all, each other bytes than the others.
  /// @pre 0 <= part < parts
  void copy_part(const std::byte* from_base, std::byte* to_base, int part, int parts) const;
  /// In so many runs, on the side that has more of them.
  [[nodiscard]] Count runs() const;

  /// Into how many slices it falls, the iterations of its outermost loops; 1 if it does not. Copiers that
  /// touch the same lines, as the two faces across the rows of an array do, are best run slice by slice in
  /// turns.
  [[nodiscard]] Count slices() const { return slices_; }
  /// One of several slices. @pre 0 <= slice < slices(), which is more than 1
  void copy_slice(const std::byte* from_base, std::byte* to_base, Count slice) const;

 private:
  /// A row of blocks in each slice.
  struct Rows {
    void (*copy)(Count count, const std::byte* from, Count from_stride, std::byte* to, Count to_stride,
                 Count block);
    Count count, block;
    Count from, from_stride, from_slice;  ///< Offset in the first slice, distance of blocks, of slices.
    Count to, to_stride, to_slice;
  };
  [[nodiscard]] std::vector<Rows> rows_of_slices() const;
  /// The bytes [first, end) of the stream.
  void copy_bytes(const std::byte* from_base, std::byte* to_base, Count first, Count end) const;

  Packer from_;
  Packer to_;
  bool same_loops_;
  Count slices_;
  std::vector<Rows> rows_;  ///< None if a slice has further loops inside.
};

}  // namespace halocline::compile
