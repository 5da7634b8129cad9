// SPDX-License-Identifier: BSD-3-Clause
// Equal blocks under loops, kept in the one form that each such sequence of runs has.
#pragma once

#include "base/wide.hpp"
#include "compile/form/canonical.hpp"

#include <algorithm>
#include <array>

namespace halocline::compile {

/// Loops from the innermost outwards around a block. Each has at least 2 iterations and none continues the
/// one inside it. Then the first difference of offsets tells the innermost stride, the first change of it the
/// innermost count, and so on outwards: the loops are determined by the offsets.
struct Nest {
  /// Deep enough that one more loop would be around thousands of blocks.
  static constexpr std::size_t most_levels = 12;

  Count offset = 0;
  Count block = 0;  ///< In bytes; 0 around a list, which joins nothing.
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
    if (levels == 0 && block > 0 && stride == block) {
      block *= count;
    } else if (levels > 0 && Wide{dims[levels - 1].count} * dims[levels - 1].stride == stride) {
      dims[levels - 1].count *= count;
    } else {
      dims[levels++] = {count, stride};
    }
  }

  /// Becomes itself and `next` after it, which is moved by `shift`, if that is a nest again; false if it is
  /// not.
  [[nodiscard]] bool continue_with(const Nest& next, Count shift) {
    const std::size_t common = std::min(levels, next.levels);
    if (block != next.block) return false;
    for (std::size_t i = 0; i + 1 < common; ++i)
      if (dims[i] != next.dims[i]) return false;
    Wide end = Wide{offset} + block;
    for (std::size_t i = 0; i < levels; ++i) end += (Wide{dims[i].count} - 1) * dims[i].stride;
    const Wide begin = Wide{next.offset} + shift;
    if (end == begin) return false;  // two runs become one
    const Wide stride = begin - offset;
    if (levels == next.levels) {
      if (levels > 0 && dims[levels - 1].stride == next.dims[levels - 1].stride &&
          Wide{dims[levels - 1].count} * dims[levels - 1].stride == stride) {
        dims[levels - 1].count += next.dims[levels - 1].count;
        return true;
      }
      const bool copy = levels == 0 || dims[levels - 1] == next.dims[levels - 1];
      const auto distance = static_cast<Count>(stride);
      if (!copy || distance != stride || !takes_loop(distance)) return false;
      repeat(2, distance);
      return true;
    }
    // One of them is a single round of the other's outermost loop.
    const Nest& longer = levels > next.levels ? *this : next;
    const Canonical::Dim outer = longer.dims[common];
    const Count rounds_before = levels > next.levels ? outer.count : 1;
    if (longer.levels != common + 1 || Wide{rounds_before} * outer.stride != stride) return false;
    if (common > 0 && dims[common - 1] != next.dims[common - 1]) return false;
    dims[common] = {outer.count + 1, outer.stride};
    levels = common + 1;
    return true;
  }
};

}  // namespace halocline::compile
