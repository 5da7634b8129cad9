#include "place/kept.hpp"

#include "base/integers.hpp"
#include "base/wide.hpp"
#include "place/slanted_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

namespace halocline::place {
namespace {

/// Turns all signs around if the last non-zero component is negative: a link has no direction.
Counts undirected(Counts step) {
  for (std::size_t j = step.size(); j-- > 0;) {
    if (step[j] == 0) continue;
    if (step[j] < 0)
      for (Count& component : step) component = -component;
    break;
  }
  return step;
}

}  // namespace

Links strip_links(const Grid& grid, const Steps& steps, std::span<const std::size_t> order,
                  std::span<const Fill> fill) {
  Wide total = 0;
  for (const Step& step : steps.list) total += Wide{step.weight} * occurrences(grid, step.offset);
  Links links;
  links.scale = Count{1} << (order.size() - 1);
  // Weights near the end of the 64 bits lose their last bits here: plans compare, costs stay exact.
  constexpr Wide limit = std::numeric_limits<Count>::max() / 4;
  int shift = 0;
  while ((total * links.scale >> shift) > limit) ++shift;
  links.total = static_cast<Count>(total * links.scale >> shift);

  std::map<Counts, Count> weights;
  std::map<Counts, Count> exact;
  for (const Step& step : steps.list) {
    Counts local(order.size());
    std::vector<std::size_t> mirrored;
    for (std::size_t j = 0; j < order.size(); ++j) {
      local[j] = step.offset[order[j]];
      if (j + 1 == order.size() || local[j] == 0) continue;
      if (fill[j] == Fill::as_walked) mirrored.push_back(j);
      if (fill[j] == Fill::against_rows) local[j] = -local[j];
    }
    const auto share = static_cast<Count>((Wide{step.weight} * links.scale >> mirrored.size()) >> shift);
    exact[undirected(local)] += static_cast<Count>(Wide{step.weight} * links.scale >> shift);
    for (std::size_t signs = 0; signs < std::size_t{1} << mirrored.size(); ++signs) {
      Counts image = local;
      for (std::size_t i = 0; i < mirrored.size(); ++i)
        if (signs >> i & 1) image[mirrored[i]] = -image[mirrored[i]];
      weights[undirected(std::move(image))] += share;
    }
  }
  links.exact = shift == 0 && weights == exact;
  for (auto& [step, weight] : weights) links.list.push_back({step, weight});
  return links;
}

Section::Section(Counts widths, const Links& links, std::span<const Count> slope,
                 std::span<const Count> rings)
    : widths_(std::move(widths)) {
  for (const Count width : widths_) {
    strides_.push_back(cells_);
    cells_ *= width;
  }
  total_shift_ = total_row_shift(widths_, slope);
  Counts shifts;
  for (Count column = 0; column < cells_ && total_shift_ > 0; ++column)
    shifts.push_back(row_shift(widths_, slope, column));
  reaches_.reserve(links.list.size());
  starts_before_.reserve(links.list.size() * static_cast<std::size_t>(cells_));
  for (const Link& link : links.list) add_reaches(link, shifts, rings);
}

/// Calls visit(column, target) for every column in which a step starts that ends inside the section.
template <class Visit>
void Section::for_each_start(const Link& link, std::span<const Count> rings, const Visit& visit,
                             std::size_t levels, Count column, Count target) const {
  if (levels == 0) return visit(column, target);
  const std::size_t j = levels - 1;
  const Count width = widths_[j], step = link.step[j], stride = strides_[j];
  if (rings[j] == width) {
    for (Count x = 0; x < width; ++x)
      for_each_start(link, rings, visit, j, column + x * stride,
                     target + floor_modulo(x + step, width) * stride);
  } else {
    const Count end = std::min(width, width - step);
    for (Count x = std::max(Count{0}, -step); x < end; ++x)
      for_each_start(link, rings, visit, j, column + x * stride, target + (x + step) * stride);
  }
}

void Section::add_reaches(const Link& link, std::span<const Count> shifts, std::span<const Count> rings) {
  // Where rows climb or a level wraps around, the two ends lie further apart from some columns than from
  // others.
  const std::size_t first = reaches_.size();
  std::size_t i = first;
  for_each_start(
      link, rings,
      [&](Count column, Count target) {
        const Count climb = total_shift_ == 0 ? 0
                                              : shifts[static_cast<std::size_t>(target)] -
                                                    shifts[static_cast<std::size_t>(column)];
        const Count ahead = (link.step.back() - climb) * cells_ + target - column;
        const Count distance = std::abs(ahead), start = ahead < 0 ? target : column;
        if (i == reaches_.size() || reaches_[i].distance != distance) {
          for (i = first; i < reaches_.size() && reaches_[i].distance != distance;) ++i;
          if (i == reaches_.size()) {
            reaches_.push_back({distance, link.weight, 0, distance / cells_, distance % cells_});
            starts_before_.resize(starts_before_.size() + static_cast<std::size_t>(cells_), 0);
          }
        }
        // Marks for now; made into counts of the columns before below.
        starts_before_[i * static_cast<std::size_t>(cells_) + static_cast<std::size_t>(start)] += 1;
      },
      widths_.size(), 0, 0);
  for (i = first; i < reaches_.size(); ++i) {
    Count* const marks = starts_before_.data() + i * static_cast<std::size_t>(cells_);
    Count before = 0;
    for (Count column = 0; column < cells_; ++column) before += std::exchange(marks[column], before);
    reaches_[i].starts = before;
  }
}

Count Section::kept(Count column, Count length) const {
  Count sum = 0;
  const Count rows = (column + length) / cells_, rest = (column + length) % cells_;
  const Count* starts_before = starts_before_.data();
  for (const Reach& reach : reaches_) {
    if (length > reach.distance) {
      const bool borrows = rest < reach.rest;  // what ends `distance` cells earlier, without a division
      const Count end_rows = rows - reach.rows - borrows, end = rest - reach.rest + (borrows ? cells_ : 0);
      sum += reach.weight * (end_rows * reach.starts + starts_before[end] - starts_before[column]);
    }
    starts_before += cells_;
  }
  return sum;
}

Count Turn::reach(const Links& links, std::size_t level) {
  Count reach = 1;
  for (const Link& link : links.list) reach = std::max(reach, std::abs(link.step[level]));
  return reach;
}

Turn::Turn(const Links& links, std::size_t level, const Section& first, const Section& second) {
  for (const Link& link : links.list) {
    if (link.step[level] == 0) continue;
    Link ahead = link;  // turned around if need be, so that it leads from the first strip to the second
    if (link.step[level] < 0)
      for (Count& component : ahead.step) component = -component;
    add(ahead, level, {first, second}, 0, 0, 0);
    groups_.push_back({ahead.step.back(), ahead.weight, first_.size()});
  }
}

void Turn::add(const Link& link, std::size_t level, const Sections& sections, std::size_t j, Count first,
               Count second) {
  const Count step = link.step[j];
  if (j + 1 == link.step.size()) {
    first_.push_back(static_cast<std::uint32_t>(first));
    second_.push_back(static_cast<std::uint32_t>(second));
    return;
  }
  const Count width_first = sections.first.width(j), width_second = sections.second.width(j);
  const auto deeper = [&](Count x_first, Count x_second) {
    add(link, level, sections, j + 1, first + x_first * sections.first.stride(j),
        second + x_second * sections.second.stride(j));
  };
  if (j == level) {  // side by side: one is x before the border, the other the rest of the step behind it
    for (Count x = std::max(Count{0}, step - width_second); x < std::min(width_first, step); ++x)
      deeper(x, step - 1 - x);
  } else if (j < level) {  // the same interval, numbered from its two ends
    for (Count x = std::max(Count{0}, step); x < width_first && x - step < width_first; ++x)
      deeper(x, width_first - 1 - x + step);
  } else {  // both from the wall where the walk turned
    for (Count x = std::max(Count{0}, -step); x < width_first && x + step < width_second; ++x)
      deeper(x, x + step);
  }
}

Count Turn::kept(const Section& first, Count before, const Section& second, Count after) const {
  const Count rows_first = before / first.cells(), rows_second = after / second.cells();
  const auto rest_first = static_cast<std::uint32_t>(before % first.cells()),
             rest_second = static_cast<std::uint32_t>(after % second.cells());
  Count sum = 0;
  std::size_t i = 0;
  for (const auto& [step, weight, end] : groups_) {
    // A link joins as many rows as the lower of its columns has; a column is one row higher than the strip's
    // whole rows if it lies in the rest.
    const Count low_first = rows_first - std::max(Count{0}, -step),
                low_second = rows_second - std::max(Count{0}, step), low = std::min(low_first, low_second);
    if (low < 0) {
      i = end;
      continue;
    }
    std::uint32_t higher = 0;
    sum += weight * low * static_cast<Count>(end - i);
    if (low_first < low_second)
      for (; i < end; ++i) higher += first_[i] < rest_first;
    else if (low_second < low_first)
      for (; i < end; ++i) higher += second_[i] < rest_second;
    else
      for (; i < end; ++i) higher += first_[i] < rest_first && second_[i] < rest_second;
    sum += weight * higher;
  }
  return sum;
}

}  // namespace halocline::place
