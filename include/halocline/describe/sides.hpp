// SPDX-License-Identifier: BSD-3-Clause
// What is beyond the open sides of a mesh: a mirror, the other side shifted, or the mesh itself folded over.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/mesh.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halocline {

/// Both sides of a mesh along a dimension, or one of them.
struct Side {
  /// Of n points along the dimension, what ghost points show, k = 1, 2, ...:
  /// mirror_face: the border lies half a point beyond the last points. -k shows k-1, n-1+k shows n-k.
  /// mirror_point: it runs through the last points. -k shows k, n-1+k shows n-1-k.
  /// shear: periodic, but what leaves at the upper side comes back at the lower one `shift` points further
  /// along another dimension, which is periodic. (n-1+k, j) shows (k-1, j+shift), (-k, j) shows
  /// (n-k, j-shift). Both sides.
  /// fold_t, fold_f: the mesh comes back reversed along another dimension, which is periodic and has m
  /// points. fold_t turns about a point of the last row: (n-1+k, i) shows (n-1-k, -i modulo m). fold_f turns
  /// about a corner of its cells: (n-1+k, i) shows (n-k, m-1-i). One side.
  enum class Kind : std::uint8_t { mirror_face, mirror_point, shear, fold_t, fold_f };
  enum class Which : std::uint8_t { both, low, high };

  /// Numbers that change their sign beyond the side: of each element of a field that one, or all.
  struct Odd {
    static constexpr std::size_t all = static_cast<std::size_t>(-1);
    std::size_t field = all;
    std::size_t number = all;
    bool operator==(const Odd&) const = default;
  };

  std::size_t dimension;
  Kind kind;
  Which which = Which::both;
  std::size_t along = 0;  ///< The other dimension of a shear or a fold.
  Count shift = 0;        ///< Of a shear.
  std::vector<Odd> odd = {};
  bool operator==(const Side&) const = default;
};

/// What is beyond some sides of a mesh. Their dimensions are open; beyond open sides that are not named there
/// is nothing. An immutable value.
///
/// As text: "x:mirror-face:odd=1 y+:fold-t@x:odd=1,2 at=c,x,y", "y:shear+3@x". Dimensions are x, y, z, and
/// d3, d4, ... from the fourth on; x- is the lower side, x+ the upper. odd alone means all fields, odd=1
/// field 1, counted from 0, odd=0.2 number 2 of each element of field 0. `at` says where the points of each
/// field are: c at the centre, x half a point further along x, xy along both. Then mirrors and folds are
/// where they are for points at the centre.
class HALOCLINE_API Sides {
 public:
  /// Of nothing.
  Sides() = default;
  /// `at[f]`: the dimensions along which the points of field f lie half a point further; of fields that are
  /// not named none. Throws Error{invalid_argument} if a side is described twice, a shear is at one side
  /// alone or a fold at both, one goes along its own dimension, or a dimension is reversed by one and
  /// reversed or shifted by another.
  explicit Sides(std::vector<Side> sides, std::vector<std::vector<std::size_t>> at = {});

  /// Throws Error{invalid_argument}; as above.
  [[nodiscard]] static Sides parse(std::string_view text);
  /// What parse reads.
  [[nodiscard]] std::string to_text() const;

  [[nodiscard]] bool empty() const { return sides_.empty(); }
  [[nodiscard]] const std::vector<Side>& list() const { return sides_; }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& at() const { return at_; }
  /// What is beyond one side, low or high; null if it is not described.
  [[nodiscard]] const Side* find(std::size_t dimension, Side::Which which) const;
  /// Do the points of a field lie half a point further along a dimension?
  [[nodiscard]] bool half_further(std::size_t field, std::size_t dimension) const;

  /// Throws Error{invalid_dimensions} if the mesh has no such dimension, one that is described is periodic,
  /// one that a shear or a fold goes along is not, or a shift is not less than its points.
  void require_fit(const Mesh& mesh) const;

  bool operator==(const Sides&) const = default;

 private:
  std::vector<Side> sides_;
  std::vector<std::vector<std::size_t>> at_;
};

}  // namespace halocline
