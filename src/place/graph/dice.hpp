// SPDX-License-Identifier: BSD-3-Clause
// Chance that is the same on every machine.
#pragma once

#include "base/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace halocline::place {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(split_mixed(seed + golden_ratio)) {}

  [[nodiscard]] std::uint64_t roll() { return split_mixed(state_ += golden_ratio); }

  /// From 0 to `sides` - 1, as even as a product of 32 bits is. @pre 0 < sides < 2^32
  [[nodiscard]] std::size_t below(std::size_t sides) { return (roll() >> 32U) * sides >> 32U; }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace halocline::place
