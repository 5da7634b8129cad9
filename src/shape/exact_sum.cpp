// SPDX-License-Identifier: BSD-3-Clause
#include "shape/exact_sum.hpp"

#include "base/numbers.hpp"
#include "base/wide.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace halocline::shape {
namespace {

/// The least common multiple of the denominators, if it fits in 63 bits.
std::optional<Count> common_denominator(const std::vector<Weight>& weights) {
  Count common = 1;
  for (const Weight& weight : weights)
    if (__builtin_mul_overflow(common, weight.denominator / std::gcd(common, weight.denominator), &common))
      return std::nullopt;
  return common;
}

int least_exponent(const std::vector<Weight>& weights) {
  int least = weights.front().exponent;
  for (const Weight& weight : weights) least = std::min(least, weight.exponent);
  return least;
}

/// The weights times one common factor that makes them whole.
std::vector<Natural> whole(const std::vector<Weight>& weights) {
  const std::optional<Count> common = common_denominator(weights);
  const int least = least_exponent(weights);
  std::vector<Natural> scaled;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Natural number(static_cast<std::uint64_t>(weights[i].numerator));
    if (common) {
      number *= static_cast<std::uint64_t>(*common / weights[i].denominator);
    } else {
      for (std::size_t j = 0; j < weights.size(); ++j)
        if (j != i) number *= static_cast<std::uint64_t>(weights[j].denominator);
    }
    number <<= static_cast<unsigned>(weights[i].exponent - least);
    scaled.push_back(std::move(number));
  }
  return scaled;
}

std::uint64_t magnitude(Count count) { return static_cast<std::uint64_t>(count); }

}  // namespace

ExactSum::ExactSum(const std::vector<Weight>& weights) : ExactSum(weights, {Weight{}}) {}

ExactSum::ExactSum(const std::vector<Weight>& weights, const std::vector<Weight>& ratios) {
  const std::vector<Natural> level = whole(weights);
  const int least = least_exponent(ratios);
  for (const Weight& ratio : ratios)
    for (Natural number : level) {
      number *= magnitude(ratio.numerator);
      number <<= static_cast<unsigned>(ratio.exponent - least);
      scaled_.push_back(std::move(number));
    }
  int bits = 0;
  for (const Natural& number : scaled_) bits = std::max(bits, number.bits());
  for (const Natural& number : scaled_) estimates_.push_back(number.scaled(-bits));
  // A term has at most bits + 63 digits, and their sum as many more as it takes to count them.
  if (bits + to_int(std::bit_width(scaled_.size())) > 64) return;
  for (const Natural& number : scaled_) narrow_.push_back(number.narrow());
}

std::strong_ordering ExactSum::compare(std::span<const Count> a, std::span<const Count> b) const {
  if (!narrow_.empty()) {
    UnsignedWide left = 0;
    UnsignedWide right = 0;
    for (std::size_t i = 0; i < narrow_.size(); ++i) {
      left += UnsignedWide{narrow_[i]} * magnitude(a[i]);
      right += UnsignedWide{narrow_[i]} * magnitude(b[i]);
    }
    return left <=> right;
  }
  Natural left;
  Natural right;
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    if (a[i] == b[i]) continue;
    Natural term = scaled_[i];
    term *= magnitude(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
    (a[i] > b[i] ? left : right) += term;
  }
  return left <=> right;
}

std::strong_ordering ExactSum::compare_terms(std::size_t i, Count a, std::size_t j, Count b) const {
  if (!narrow_.empty())
    return UnsignedWide{narrow_[i]} * magnitude(a) <=> UnsignedWide{narrow_[j]} * magnitude(b);
  Natural left = scaled_[i];
  Natural right = scaled_[j];
  left *= magnitude(a);
  right *= magnitude(b);
  return left <=> right;
}

}  // namespace halocline::shape
