// SPDX-License-Identifier: BSD-3-Clause
// From ranks to the groups of one level of a machine, many at a time.
#pragma once

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/runs.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace halocline::place {

/// Runs::find for many ranks, by what is fastest for the sizes at hand. Word is the type of group numbers:
/// Count, or 32 or 16 bits for fewer than 2^31 or 2^16 ranks.
template <class Word>
class GroupOf {
 public:
  /// @pre `sizes` outlives this object
  explicit GroupOf(const Runs& sizes) : sizes_(sizes), even_(sizes.uniform() ? sizes[0] : 0) {
    if constexpr (narrow) {
      if (even_ > 0) {
        // The quotient of r < 2^31 by d is r * ceil(2^(31 + l) / d) >> (31 + l) for 2^l >= d (Granlund and
        // Montgomery, "Division by Invariant Integers using Multiplication").
        shift_ = 31 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(even_ - 1)));
        factor_ = ((std::uint64_t{1} << shift_) + static_cast<std::uint64_t>(even_) - 1) /
                  static_cast<std::uint64_t>(even_);
      }
    }
    if (even_ == 0 && sizes.total() <= largest_table) {
      table_.reserve(to_size(sizes.total()));
      Word group = 0;
      for (const Run& run : sizes.runs())
        for (Count i = 0; i < run.repeats; ++i) table_.insert(table_.end(), to_size(run.value), group++);
    }
  }

  void operator()(std::span<const Rank> ranks, Word* groups) const {
    const std::size_t count = ranks.size();
    if (even_ == 1) {
      for (std::size_t i = 0; i < count; ++i) groups[i] = static_cast<Word>(ranks[i]);
    } else if (even_ > 0 && sizeof(Word) == 2) {
      // Half a rank further the quotient is no closer to a whole number than 0.5 / d, and two roundings move
      // it by less than 2^16 / d * 2^-23. Vectors have products of such numbers, but not of 64 bits.
      const float inverse = 1 / static_cast<float>(even_);
      for (std::size_t i = 0; i < count; ++i) {
        const auto rank = static_cast<float>(static_cast<std::int32_t>(ranks[i]));
        groups[i] = static_cast<Word>(static_cast<std::int32_t>((rank + 0.5F) * inverse));
      }
    } else if (even_ > 0 && narrow) {
      const std::uint64_t factor = factor_;
      const int shift = shift_;
      for (std::size_t i = 0; i < count; ++i)
        groups[i] = static_cast<Word>(static_cast<std::uint32_t>(ranks[i]) * factor >> shift);
    } else if (even_ > 0) {
      for (std::size_t i = 0; i < count; ++i) groups[i] = static_cast<Word>(ranks[i] / even_);
    } else if (!table_.empty()) {
      for (std::size_t i = 0; i < count; ++i) groups[i] = table_[to_index(ranks[i])];
    } else {
      // Cells in a row are mostly on one node.
      Rank begin = 0, end = 0;
      Count group = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (ranks[i] < begin || ranks[i] >= end) {
          group = sizes_.find(ranks[i]);
          begin = sizes_.start(group), end = sizes_.start(group + 1);
        }
        groups[i] = static_cast<Word>(group);
      }
    }
  }

 private:
  static constexpr bool narrow = sizeof(Word) <= 4;
  static constexpr Count largest_table = Count{1} << 20;

  const Runs& sizes_;
  Count even_;  ///< The size of every group; 0 if they differ.
  std::uint64_t factor_ = 0;
  int shift_ = 0;
  std::vector<Word> table_;  ///< By rank, for uneven groups of not too many ranks.
};

}  // namespace halocline::place
