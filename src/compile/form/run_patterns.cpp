// SPDX-License-Identifier: BSD-3-Clause
#include "compile/form/run_patterns.hpp"

#include "base/numbers.hpp"

namespace halocline::compile {

std::size_t leading_nest(std::span<const Segment> runs, std::size_t group, Nest& nest) {
  nest.offset = runs.front().offset;
  nest.block = runs.front().bytes;
  nest.levels = 0;
  while (nest.levels < Nest::most_levels && 2 * group <= runs.size()) {
    const Count stride = runs[group].offset - runs[0].offset;
    std::size_t copied = 0;
    while (copied + group < runs.size() && runs[copied + group].bytes == runs[copied].bytes &&
           runs[copied + group].offset - runs[copied].offset == stride)
      ++copied;
    const std::size_t copies = 1 + copied / group;
    if (copies == 1) break;
    nest.dims[nest.levels++] = {to_count(copies), stride};
    group *= copies;
  }
  return group;
}

}  // namespace halocline::compile
