// SPDX-License-Identifier: BSD-3-Clause
#include "compile/form/part_range.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/wide.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <limits>

namespace halocline::compile {
namespace {

constexpr Count largest = std::numeric_limits<Count>::max();
/// The farthest from 0 that data may begin or end: an address and as much memory fit beside it.
constexpr Count farthest = largest - 2 * most_memory;

/// From the first byte of data to behind the last.
struct Range {
  Wide first;
  Wide last;
};

/// @pre there is data
Range range_of(const Layout& layout, Count count, Count offset) {
  const Wide to_last = (Wide{count} - 1) * layout.extent();
  return {offset + std::min<Wide>(to_last, 0) + layout.true_lb(),
          offset + std::max<Wide>(to_last, 0) + layout.true_ub()};
}

bool fits(Wide value) { return static_cast<Count>(value) == value; }

bool has_data(const Part& part) { return part.count > 0 && part.layout.size() > 0; }

std::string beginning_of(const Layout& layout) {
  constexpr std::size_t most_shown = 80;
  const std::string text = layout.to_text();
  return text.size() > most_shown ? text.substr(0, most_shown) + "..." : text;
}

[[noreturn]] void refuse_range(const Layout& layout, Count count, const Range& range) {
  fail(Fault::invalid_type, count, " elements of ", beginning_of(layout), " have data from byte ",
       halocline::to_text(range.first), " to ", halocline::to_text(range.last),
       "; no memory reaches that far, it has ", most_memory, " bytes at most");
}

}  // namespace

Count checked_bytes(const Part& part) {
  require(part.count >= 0, "the count ", part.count, " of a part is negative; 0 is the least");
  const Count bytes = checked_multiply(part.count, part.layout.size());
  if (bytes > 0) require_distances({&part, 1});
  return bytes;
}

void require_distances(std::span<const Part> parts) {
  bool any = false;
  Range all{};
  for (const Part& part : parts) {
    if (!has_data(part)) continue;
    const Range one = range_of(part.layout, part.count, part.offset);
    const Wide step = Wide{part.count - 1} * part.layout.extent();
    all = any ? Range{std::min(all.first, one.first), std::max(all.last, one.last)} : one;
    any = true;
    if (!fits(all.first) || !fits(all.last) || !fits(all.last - all.first) || !fits(step)) [[unlikely]]
      fail(Fault::invalid_type, part.count, " elements of ", beginning_of(part.layout), " at offset ",
           part.offset, " have data from byte ", halocline::to_text(one.first), " to ",
           halocline::to_text(one.last), "; that, or the distance to other data, does not fit in 64 bits");
  }
}

Count most_elements(const Layout& layout) {
  if (layout.size() == 0) return largest;
  if (layout.true_lb() < -farthest || layout.true_ub() > farthest) return 0;
  const Wide room = Wide{most_memory} - layout.true_extent();
  if (room < 0) return 0;
  const Count by_size = largest / layout.size();
  const Wide extent = layout.extent();
  if (extent == 0) return by_size;
  return std::min(by_size, 1 + static_cast<Count>(room / (extent < 0 ? -extent : extent)));
}

void require_memory(const Layout& layout, Count count) {
  if (count <= most_elements(layout)) [[likely]]
    return;
  refuse_range(layout, count, range_of(layout, count, 0));
}

void require_memory(const Part& part) {
  (void)checked_bytes(part);
  require_memory(part.layout, part.count);
  if (!has_data(part)) return;
  const Range range = range_of(part.layout, part.count, part.offset);
  if (range.first < -farthest || range.last > farthest) refuse_range(part.layout, part.count, range);
}

}  // namespace halocline::compile
