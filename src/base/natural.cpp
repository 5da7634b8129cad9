// SPDX-License-Identifier: BSD-3-Clause
#include "base/natural.hpp"

#include "base/wide.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace halocline {
Natural::Natural(std::uint64_t value) {
  if (value != 0) limbs_.push_back(value);
}

Natural& Natural::operator+=(const Natural& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size(), 0);
  UnsignedWide carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    carry += UnsignedWide{limbs_[i]} + (i < other.limbs_.size() ? other.limbs_[i] : 0);
    limbs_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  if (carry != 0) limbs_.push_back(static_cast<std::uint64_t>(carry));
  return *this;
}

Natural& Natural::operator*=(std::uint64_t factor) {
  if (factor == 0) limbs_.clear();
  UnsignedWide carry = 0;
  for (std::uint64_t& limb : limbs_) {
    carry += UnsignedWide{limb} * factor;
    limb = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  if (carry != 0) limbs_.push_back(static_cast<std::uint64_t>(carry));
  return *this;
}

Natural& Natural::operator<<=(unsigned bits) {
  if (limbs_.empty()) return *this;
  if (bits % 64 != 0) *this *= std::uint64_t{1} << (bits % 64);
  limbs_.insert(limbs_.begin(), bits / 64, 0);
  return *this;
}

int Natural::bits() const {
  if (limbs_.empty()) return 0;
  return static_cast<int>(64 * (limbs_.size() - 1)) + static_cast<int>(std::bit_width(limbs_.back()));
}

double Natural::scaled(int exponent) const {
  double value = 0;
  const std::size_t lowest = limbs_.size() > 2 ? limbs_.size() - 2 : 0;
  for (std::size_t i = limbs_.size(); i-- > lowest;)
    value += std::ldexp(static_cast<double>(limbs_[i]), exponent + static_cast<int>(64 * i));
  return value;
}

std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
  if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() <=> b.limbs_.size();
  return std::lexicographical_compare_three_way(a.limbs_.rbegin(), a.limbs_.rend(), b.limbs_.rbegin(),
                                                b.limbs_.rend());
}

}  // namespace halocline
