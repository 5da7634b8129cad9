// SPDX-License-Identifier: BSD-3-Clause
// A keyed permutation of the ranks: a Feistel network over the next even power of two, walked along its
// cycle until it lands in the grid again (Black and Rogaway, "Ciphers with Arbitrary Finite Domains").

#include "place/simple/random.hpp"

#include "base/hash.hpp"
#include "base/numbers.hpp"
#include "place/problem/rule.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace halocline::place {
namespace {

class Scattered : public Placement::Rule {
 public:
  Scattered(const Grid& grid, std::uint64_t seed)
      : extents_(grid.extents()), size_(static_cast<std::uint64_t>(grid.size())) {
    half_bits_ = to_int(std::bit_width(size_ - 1) + 1) / 2;
    half_mask_ = (std::uint64_t{1} << half_bits_) - 1;
    for (std::size_t round = 0; round < keys_.size(); ++round) {
      keys_[round] = murmur_mixed(seed * golden_ratio + round + 1);
      for (std::uint64_t half = 0; half <= half_mask_ && half_bits_ <= table_bits; ++half)
        tables_[round][half] = static_cast<std::uint8_t>(scrambled(half, round));
    }
  }

  void locate(Rank rank, std::span<Count> cell) const override {
    auto index = static_cast<std::uint64_t>(rank);
    do index = encrypted(index);
    while (index >= size_);
    auto rest = to_count(index);
    for (std::size_t d = extents_.size(); d-- > 0; rest /= extents_[d]) cell[d] = rest % extents_[d];
  }

  /// All one step along their cycles at once, which a processor does side by side, then those that are left.
  void owners(const Grid& /*grid*/, Count first, std::span<Rank> ranks) const override {
    std::iota(ranks.begin(), ranks.end(), first);
    std::vector<std::size_t> left(ranks.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    for (std::size_t count = left.size(), still = 0; count > 0; count = std::exchange(still, 0))
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t which = left[i];
        const std::uint64_t index = decrypted(static_cast<std::uint64_t>(ranks[which]));
        ranks[which] = to_count(index);
        left[still] = which;
        still += index >= size_ ? 1 : 0;
      }
  }

  [[nodiscard]] Rank owner(std::span<const Count> cell) const override {
    std::uint64_t index = 0;
    for (std::size_t d = 0; d < extents_.size(); ++d)
      index = index * static_cast<std::uint64_t>(extents_[d]) + static_cast<std::uint64_t>(cell[d]);
    do index = decrypted(index);
    while (index >= size_);
    return to_count(index);
  }

 private:
  /// What one round of the network makes of a half.
  [[nodiscard]] std::uint64_t scrambled(std::uint64_t half, std::size_t round) const {
    return murmur_mixed(half ^ keys_[round]) & half_mask_;
  }
  [[nodiscard]] std::uint64_t looked_up(std::uint64_t half, std::size_t round) const {
    return half_bits_ <= table_bits ? tables_[round][half] : scrambled(half, round);
  }

  [[nodiscard]] std::uint64_t encrypted(std::uint64_t x) const {
    std::uint64_t left = x >> half_bits_, right = x & half_mask_;
    for (std::size_t round = 0; round < keys_.size(); ++round) {
      left ^= looked_up(right, round);
      std::swap(left, right);
    }
    return left << half_bits_ | right;
  }

  [[nodiscard]] std::uint64_t decrypted(std::uint64_t x) const {
    std::uint64_t left = x >> half_bits_, right = x & half_mask_;
    for (std::size_t round = keys_.size(); round-- > 0;) {
      std::swap(left, right);
      left ^= looked_up(right, round);
    }
    return left << half_bits_ | right;
  }

  static constexpr std::size_t rounds = 4;
  static constexpr int table_bits = 8;  ///< Halves up to so many bits are looked up in tables.
  Counts extents_;
  std::uint64_t size_;
  int half_bits_ = 0;
  std::uint64_t half_mask_ = 0;
  std::array<std::uint64_t, rounds> keys_{};
  std::array<std::array<std::uint8_t, std::size_t{1} << table_bits>, rounds> tables_{};
};

}  // namespace

Placement random(const Problem& problem) {
  return {problem.grid(), std::make_shared<Scattered>(problem.grid(), problem.seed())};
}

}  // namespace halocline::place
