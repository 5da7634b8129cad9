// Equal blocks under loops, kept in the one form that each such sequence of runs has.
#pragma once

#include "base/wide.hpp"
#include "halocline/compile/canonical.hpp"

#include <array>

namespace halocline::compile {

/// Loops from the innermost outwards around a block. Each has at least 2 iterations and none continues the
/// one inside it. Then the first difference of offsets tells the innermost stride, the first change of it the
/// innermost count, and so on outwards: the loops are determined by the offsets.
struct Nest {
  /// Deep enough that one more loop would be around thousands of blocks.
  static constexpr std::size_t most_levels = 12;

  Count offset = 0;
  Count block = 0;
  std::size_t levels = 0;
  std::array<Canonical::Dim, most_levels> dims;  ///< The innermost first; `levels` of them.

  [[nodiscard]] Count runs() const {
    Count all = 1;
    for (std::size_t i = 0; i < levels; ++i) all *= dims[i].count;
    return all;
  }

  /// Do copies `stride` bytes apart join, the last run of one with the first of the next?
  [[nodiscard]] bool joins(Count stride) const {
    Wide end = block;
    for (std::size_t i = 0; i < levels; ++i) end += (Wide{dims[i].count} - 1) * dims[i].stride;
    return levels > 0 && end == stride;
  }

  /// Does another loop fit, if it is not a continuation of the outermost?
  [[nodiscard]] bool takes_loop(Count stride) const {
    return levels < most_levels || Wide{dims[levels - 1].count} * dims[levels - 1].stride == stride;
  }

  /// `count` copies. @pre takes_loop(stride), count > 0
  void repeat(Count count, Count stride) {
    if (count == 1) return;
    if (levels == 0 && stride == block) {
      block *= count;
    } else if (levels > 0 && Wide{dims[levels - 1].count} * dims[levels - 1].stride == stride) {
      dims[levels - 1].count *= count;
    } else {
      dims[levels++] = {count, stride};
    }
  }
};

/// The offset of every block, in order.
template <class Visit>
void for_each_block(const Nest& nest, std::size_t level, Count offset, const Visit& visit) {
  if (level == 0) return visit(offset);
  const auto [count, stride] = nest.dims[level - 1];
  for (Count i = 0; i < count; ++i) for_each_block(nest, level - 1, offset + i * stride, visit);
}

}  // namespace halocline::compile
