// SPDX-License-Identifier: BSD-3-Clause
#include "halo/fields/overlap.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace halocline::halo {
namespace {

/// Points at multiples `low`..`high` of a distance.
struct Loop {
  Count distance, low, high;
};

std::vector<Loop> loops_of(const FieldView& field) {
  std::vector<Loop> loops;
  for (std::size_t d = 0; d < field.dimensions(); ++d) {
    const Count low = -field.halo().low[d], high = field.extents()[d] - 1 + field.halo().high[d];
    const Count stride = field.strides()[d];
    if (low == high || stride == 0) continue;
    loops.push_back(stride < 0 ? Loop{-stride, -high, -low} : Loop{stride, low, high});
  }
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.distance > b.distance; });
  return loops;
}

using Bytes = Extent;

Bytes bytes_of_point(const FieldView& field) {
  return {field.element().true_lb(), field.element().true_ub()};
}

Bytes span_of(const std::vector<Loop>& loops, Bytes point) {
  for (const Loop& loop : loops) {
    point.from += loop.distance * loop.low;
    point.to += loop.distance * loop.high;
  }
  return point;
}

bool meet(const Bytes& a, const Bytes& b, Count distance) {
  return a.from < b.to + distance && b.from + distance < a.to;
}

bool same_distances(const std::vector<Loop>& a, const std::vector<Loop>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Loop& x, const Loop& y) { return x.distance == y.distance; });
}

/// Is there a point of `a` and one of `b` with bytes in common, in the loops from `next` on, if `b` lies
/// `distance` behind `a`?
bool points_meet(const std::vector<Loop>& a, const std::vector<Loop>& b, std::size_t next,
                 const Bytes& a_point, const Bytes& b_point, Count distance) {
  if (next == a.size()) return meet(a_point, b_point, distance);
  const std::vector<Loop> a_rest(a.begin() + static_cast<std::ptrdiff_t>(next) + 1, a.end());
  const std::vector<Loop> b_rest(b.begin() + static_cast<std::ptrdiff_t>(next) + 1, b.end());
  const Bytes a_span = span_of(a_rest, a_point), b_span = span_of(b_rest, b_point);
  const Loop &of_a = a[next], &of_b = b[next];
  // Steps of b less steps of a, for which what is inside can meet: few, since rows lie one behind the other.
  const Count least = (a_span.from - b_span.to - distance) / of_a.distance - 1;
  const Count most = (a_span.to - b_span.from - distance) / of_a.distance + 1;
  for (Count k = std::max(least, of_b.low - of_a.high); k <= std::min(most, of_b.high - of_a.low); ++k) {
    const Count shifted = distance + k * of_a.distance;
    if (meet(a_span, b_span, shifted) && points_meet(a, b, next + 1, a_point, b_point, shifted)) return true;
  }
  return false;
}

/// Are all points of both at such places modulo a divisor of all distances that none can meet?
bool beside(const std::vector<Loop>& a, const std::vector<Loop>& b, const Bytes& a_point,
            const Bytes& b_point, Count distance) {
  Count divisor = 0;
  for (const Loop& loop : a) divisor = std::gcd(divisor, loop.distance);
  for (const Loop& loop : b) divisor = std::gcd(divisor, loop.distance);
  if (divisor == 0) return !meet(a_point, b_point, distance);
  const Count behind = (((b_point.from + distance - a_point.from) % divisor) + divisor) % divisor;
  return behind >= a_point.to - a_point.from && divisor - behind >= b_point.to - b_point.from;
}

}  // namespace

Extent extent_of(const FieldView& field) { return span_of(loops_of(field), bytes_of_point(field)); }

bool overlap(const FieldView& a, const void* a_origin, const FieldView& b, const void* b_origin) {
  const std::vector<Loop> a_loops = loops_of(a), b_loops = loops_of(b);
  const Bytes a_point = bytes_of_point(a), b_point = bytes_of_point(b);
  const Count distance = to_count(b_origin) - to_count(a_origin);
  if (!meet(span_of(a_loops, a_point), span_of(b_loops, b_point), distance)) return false;
  if (same_distances(a_loops, b_loops)) return points_meet(a_loops, b_loops, 0, a_point, b_point, distance);
  return !beside(a_loops, b_loops, a_point, b_point, distance);
}

}  // namespace halocline::halo
