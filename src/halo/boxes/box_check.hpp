// SPDX-License-Identifier: BSD-3-Clause
// One field on one box, filled with numbers that tell its points from all others, and looked at point by
// point: what a ghost point should show is told by coordinates, not by the pieces that were exchanged.
#pragma once

#include "halocline/compile/packer.hpp"
#include "halocline/describe/boxes.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/halo/field_view.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace halocline::halo {

/// Which own point of which box a ghost point shows.
struct ShownPoint {
  std::size_t box;
  Cell point;  ///< Counted from its first own point.
};

/// Looks every box up for each point: for checks alone.
class ShownPoints {
 public:
  ShownPoints(const Boxes& boxes, Stencil directions) : boxes_(&boxes), directions_(std::move(directions)) {}
  /// None if it is an own point, or shows nothing.
  [[nodiscard]] std::optional<ShownPoint> shown_by(std::size_t box, const Cell& point) const;

 private:
  [[nodiscard]] std::optional<ShownPoint> in_mesh(std::size_t box, const Cell& point) const;
  [[nodiscard]] std::optional<ShownPoint> connected(std::size_t box, const Cell& point) const;

  const Boxes* boxes_;
  Stencil directions_;
};

class BoxCheck {
 public:
  using Bytes = std::vector<std::byte>;

  BoxCheck(const ShownPoints& shown, std::size_t box, const FieldView& view, std::size_t field,
           std::uint64_t pass);

  [[nodiscard]] Bytes saved() const;
  void restore(const Bytes& values) const;
  void fill() const;
  /// Throws Error{internal} that names the first point with another value than it should have.
  void require_right() const;

 private:
  [[nodiscard]] Bytes value_of(std::size_t box, const Cell& point) const;
  [[nodiscard]] Bytes read(const Cell& point) const;
  void write(const Cell& point, const std::byte* value) const;

  const ShownPoints* shown_;
  std::size_t box_;
  const FieldView* view_;
  std::size_t field_;
  std::uint64_t pass_;
  compile::Packer packer_;
};

}  // namespace halocline::halo
