// SPDX-License-Identifier: BSD-3-Clause
// What a cut across each dimension costs, exactly: grids that cost the same must compare equal.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/describe/mesh.hpp"

#include <vector>

namespace halocline {

/// The exact number numerator / denominator * 2^exponent, never negative.
struct Weight {
  Count numerator = 1;
  Count denominator = 1;
  int exponent = 0;

  /// Every finite double is such a number. Throws Error{invalid_argument} unless `value` is positive and
  /// finite.
  [[nodiscard]] static Weight of(double value);

  [[nodiscard]] double value() const;
  bool operator==(const Weight&) const = default;
};

/// One weight a dimension: what each of the n_i parts along dimension i adds to the cost of a grid, so that
/// the grid costs the sum of weight_i * n_i. Only their ratios matter for the choice.
class Weights {
 public:
  /// The same for every dimension. Throws Error{invalid_dimensions} for no dimensions.
  [[nodiscard]] static Weights equal(std::size_t dimensions);

  /// halo_i / extent_i: n_i parts along dimension i exchange n_i * halo_i / extent_i of the mesh, one way.
  /// `halo` has one width a dimension, or none at all for widths of 1. A width of 0, no exchange, makes cuts
  /// free. Throws Error{invalid_argument} for a negative width, Error{invalid_dimensions} for widths of
  /// another dimension.
  [[nodiscard]] static Weights of_mesh(const Mesh& mesh, const Counts& halo = {});

  /// The doubles as they are, without rounding: equal doubles are equal weights. Throws
  /// Error{invalid_argument} unless each is positive and finite, Error{invalid_dimensions} for none.
  explicit Weights(const std::vector<double>& values);

  [[nodiscard]] std::size_t size() const { return weights_.size(); }
  [[nodiscard]] const Weight& operator[](std::size_t dimension) const { return weights_[dimension]; }
  [[nodiscard]] const std::vector<Weight>& all() const { return weights_; }
  bool operator==(const Weights&) const = default;

 private:
  explicit Weights(std::vector<Weight> weights);
  std::vector<Weight> weights_;
};

}  // namespace halocline
