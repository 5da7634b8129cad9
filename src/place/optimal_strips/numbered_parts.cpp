// SPDX-License-Identifier: BSD-3-Clause
#include "place/optimal_strips/numbered_parts.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace halocline::place {
namespace {

std::size_t number(const SubPlan& plan, std::vector<StripPlan::Intervals>& parts,
                   std::map<const SubPlan*, std::size_t>& numbers) {
  if (const auto found = numbers.find(&plan); found != numbers.end()) return found->second;
  const std::size_t own = parts.size();
  numbers[&plan] = own;
  parts.push_back(plan.intervals);
  for (std::size_t i = 0; i < plan.inside.size(); ++i) {
    const std::size_t inside = number(*plan.inside[i], parts, numbers);
    parts[own][i].part = inside;
  }
  return own;
}

/// In a part that belongs to `level`.
Count smallest_strip(const StripPlan& plan, const Counts& extents, std::size_t part, std::size_t level) {
  if (level + 1 == extents.size()) return extents.back();
  Count smallest = std::numeric_limits<Count>::max();
  for (const StripPlan::Interval& interval : plan.parts[part])
    smallest = std::min(smallest, interval.width * smallest_strip(plan, extents, interval.part, level + 1));
  return smallest;
}

}  // namespace

std::vector<StripPlan::Intervals> numbered_parts(const SubPlan& plan) {
  std::vector<StripPlan::Intervals> parts;
  std::map<const SubPlan*, std::size_t> numbers;
  number(plan, parts, numbers);
  return parts;
}

Count smallest_strip(const StripPlan& plan, const Counts& extents) {
  return smallest_strip(plan, extents, 0, 0);
}

}  // namespace halocline::place
