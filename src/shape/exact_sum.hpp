// SPDX-License-Identifier: BSD-3-Clause
// Sums of exact weights times counts: doubles where they decide, unbounded integers where they do not.
#pragma once

#include "base/natural.hpp"
#include "shape/weights.hpp"

#include <compare>
#include <span>

namespace halocline::shape {

/// Sums of up to a thousand doubles that differ by more than this, relatively, differ in truth as well: the
/// rounding of weights, products and additions stays far below.
inline constexpr double rounding = 1e-12;

/// The function counts -> sum of weight_i * counts_i, for fixed weights and counts >= 0.
class ExactSum {
 public:
  explicit ExactSum(const std::vector<Weight>& weights);
  /// With the weights ratio_l * weight_i, at l * weights.size() + i. @pre the ratios are whole but for their
  /// exponent, as those made from doubles
  ExactSum(const std::vector<Weight>& weights, const std::vector<Weight>& ratios);

  [[nodiscard]] std::size_t size() const { return estimates_.size(); }

  /// Weight i as a double, in a unit of our own in which the largest is about 1: sums do not overflow, and
  /// where a small weight underflows they lose nothing beside the largest.
  [[nodiscard]] double estimate(std::size_t i) const { return estimates_[i]; }

  /// The order of two sums, exactly.
  [[nodiscard]] std::strong_ordering compare(std::span<const Count> a, std::span<const Count> b) const;
  /// The order of weight_i * a and weight_j * b, exactly.
  [[nodiscard]] std::strong_ordering compare_terms(std::size_t i, Count a, std::size_t j, Count b) const;

 private:
  std::vector<Natural> scaled_;        ///< The weights over their common denominator.
  std::vector<std::uint64_t> narrow_;  ///< The same in 64 bits if sums then fit in 128, otherwise empty.
  std::vector<double> estimates_;
};

}  // namespace halocline::shape
