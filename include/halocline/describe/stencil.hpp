// SPDX-License-Identifier: BSD-3-Clause
// The communication pattern of a stencil code: the relative neighbours every process exchanges with.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/lattice.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halocline {

/// What is exchanged. alltoall: block i of the send buffer goes to the process at +offset[i], block i of the
/// receive buffer comes from the process at -offset[i]. allgather: the one send block goes to all of them.
enum class Operation : std::uint8_t { alltoall, allgather };

/// An ordered list of offsets, each with a positive weight (1 unless given; bytes, say). Offsets may repeat
/// and may be zero, as in neighbourhood collectives.
class HALOCLINE_API Stencil {
 public:
  /// Throws Error{invalid_argument} for no offsets, offsets of different or no dimension, a weight below 1,
  /// or weights that do not match the offsets in number; no weights at all stand for ones.
  explicit Stencil(std::vector<Offset> offsets, Counts weights = {});

  // The named families. Each throws Error{invalid_argument} for dimensions or a radius below 1, for a stencil
  // of more than 2^24 offsets, and component for a single dimension, where nothing would be left.

  /// One step back and forth along each dimension: the faces.
  [[nodiscard]] static Stencil nearest(std::size_t dimensions);
  /// nearest, and two and three steps along dimension 0.
  [[nodiscard]] static Stencil hops(std::size_t dimensions);
  /// nearest without the last dimension.
  [[nodiscard]] static Stencil component(std::size_t dimensions);
  /// The whole box {-R..R}^d but its centre.
  [[nodiscard]] static Stencil moore(std::size_t dimensions, Count radius);
  /// 1..R steps back and forth along each dimension.
  [[nodiscard]] static Stencil star(std::size_t dimensions, Count radius);
  /// The positive box {0..R}^d but its origin.
  [[nodiscard]] static Stencil octant(std::size_t dimensions, Count radius);

  /// Reads a family name ("nearest", "hops", "component", "moore:R", "star:R", "octant:R") or offsets with
  /// optional weights, "1,0*8;0,1*2". Throws Error{invalid_argument} also if an offset has not `dimensions`
  /// components.
  [[nodiscard]] static Stencil parse(std::string_view text, std::size_t dimensions);

  [[nodiscard]] std::size_t dimensions() const { return offsets_.front().size(); }
  [[nodiscard]] std::size_t size() const { return offsets_.size(); }
  [[nodiscard]] const std::vector<Offset>& offsets() const { return offsets_; }
  [[nodiscard]] const Counts& weights() const { return weights_; }
  /// Is every weight 1?
  [[nodiscard]] bool unweighted() const;

  /// What parse reads: the name of the family if it is one, otherwise the offsets.
  [[nodiscard]] std::string to_text() const;

  bool operator==(const Stencil&) const = default;

 private:
  std::vector<Offset> offsets_;
  Counts weights_;
};

}  // namespace halocline
