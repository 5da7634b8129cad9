// SPDX-License-Identifier: BSD-3-Clause
#include "place/optimal_strips/kept_weight.hpp"

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "base/wide.hpp"
#include "place/optimal_strips/slanted_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace halocline::place {
namespace {

/// Turns all signs around if the last non-zero component is negative: a link has no direction.
void make_undirected(std::span<Count> step) {
  for (std::size_t j = step.size(); j-- > 0;) {
    if (step[j] == 0) continue;
    if (step[j] < 0)
      for (Count& component : step) component = -component;
    break;
  }
}

/// Undirected steps and their weights, one behind the other in one array: there are many, again and again.
class WeightedSteps {
 public:
  WeightedSteps(std::size_t dimensions, std::size_t expected) : dimensions_(dimensions) {
    components_.reserve(expected * dimensions);
    weights_.reserve(expected);
    order_.reserve(expected);
  }

  void add(std::span<const Count> step, Count weight) {
    order_.push_back(weights_.size());
    components_.insert(components_.end(), step.begin(), step.end());
    make_undirected(std::span(components_).last(dimensions_));
    weights_.push_back(weight);
  }

  /// In the order of their components, equal ones added up.
  [[nodiscard]] std::vector<CellLink> sums() {
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return std::lexicographical_compare(step(a), step(a) + dimensions_, step(b), step(b) + dimensions_);
    });
    std::vector<CellLink> links;
    links.reserve(order_.size());
    for (const std::size_t i : order_) {
      const Count* const components = step(i);
      if (links.empty() || !std::equal(components, components + dimensions_, links.back().step.begin()))
        links.push_back({Counts(components, components + dimensions_), weights_[i]});
      else
        links.back().weight += weights_[i];
    }
    return links;
  }

 private:
  [[nodiscard]] const Count* step(std::size_t i) const { return components_.data() + i * dimensions_; }

  std::size_t dimensions_;
  Counts components_, weights_;
  std::vector<std::size_t> order_;
};

}  // namespace

Links strip_links(const Grid& grid, const Steps& steps, std::span<const std::size_t> order,
                  std::span<const Fill> fill) {
  Wide total = 0;
  for (const GridStep& step : steps.list) total += Wide{step.weight} * occurrences(grid, step.offset);
  Links links;
  links.scale = Count{1} << (order.size() - 1);
  // Weights near the end of the 64 bits lose their last bits here: plans compare, costs stay exact.
  constexpr Wide limit = std::numeric_limits<Count>::max() / 4;
  int shift = 0;
  while ((total * links.scale >> shift) > limit) ++shift;
  links.total = static_cast<Count>(total * links.scale >> shift);

  WeightedSteps images(order.size(), 2 * steps.list.size()), originals(order.size(), steps.list.size());
  Counts local(order.size());
  std::vector<std::size_t> mirrored;
  for (const GridStep& step : steps.list) {
    mirrored.clear();
    for (std::size_t j = 0; j < order.size(); ++j) {
      local[j] = step.offset[order[j]];
      if (j + 1 == order.size() || local[j] == 0) continue;
      if (fill[j] == Fill::as_walked) mirrored.push_back(j);
      if (fill[j] == Fill::against_rows) local[j] = -local[j];
    }
    const auto share = static_cast<Count>((Wide{step.weight} * links.scale >> mirrored.size()) >> shift);
    originals.add(local, static_cast<Count>(Wide{step.weight} * links.scale >> shift));
    for (std::size_t signs = 0; signs < std::size_t{1} << mirrored.size(); ++signs) {
      images.add(local, share);
      // The next image: every mirrored component changes its sign after all combinations of those before it.
      for (std::size_t i = 0; i < mirrored.size(); ++i) {
        local[mirrored[i]] = -local[mirrored[i]];
        if ((signs >> i & 1) == 0) break;
      }
    }
  }
  links.list = images.sums();
  links.exact = shift == 0 && links.list == originals.sums();
  return links;
}

Section::Section(Counts widths, const Links& links, std::span<const Count> slope,
                 std::span<const Count> rings)
    : widths_(std::move(widths)) {
  for (const Count width : widths_) {
    strides_.push_back(cells_);
    cells_ *= width;
  }
  set_rows(links, slope, rings);
}

void Section::set_rows(const Links& links, std::span<const Count> slope, std::span<const Count> rings) {
  total_shift_ = total_row_shift(widths_, slope);
  bool wraps = false;
  for (std::size_t j = 0; j < widths_.size(); ++j) wraps = wraps || rings[j] == widths_[j];
  Counts positions;
  for (Count column = 0; column < cells_ && (total_shift_ > 0 || wraps); ++column)
    positions.push_back(column - (total_shift_ > 0 ? row_shift(widths_, slope, column) * cells_ : 0));
  reaches_.clear();
  starts_before_.clear();
  reaches_.reserve(links.list.size());
  starts_before_.reserve(links.list.size() * to_size(cells_));
  for (const CellLink& link : links.list)
    if (positions.empty())
      add_even_reach(link);
    else
      add_uneven_reaches(link, positions, rings);
}

/// The two ends of the link lie equally far apart from all columns in which it starts: those of a box.
void Section::add_even_reach(const CellLink& link) {
  Count lead = 0;
  for (std::size_t j = 0; j < widths_.size(); ++j) {
    if (std::abs(link.step[j]) >= widths_[j]) return;
    lead += link.step[j] * strides_[j];
  }
  const Count ahead = link.step.back() * cells_ + lead, distance = std::abs(ahead);
  starts_before_.resize(starts_before_.size() + to_size(cells_));
  Count* const before = starts_before_.data() + starts_before_.size() - cells_;
  Count starts = 0;
  count_box(link, ahead < 0 ? -1 : 1, widths_.size(), before, starts);
  reaches_.push_back({distance, link.weight, starts, distance / cells_, distance % cells_});
}

/// For each column of a block: the columns before it from which the link, taken forwards (sense 1) or
/// backwards (-1), leads to another of the section.
void Section::count_box(const CellLink& link, Count sense, std::size_t levels, Count* before,
                        Count& starts) const {
  if (levels == 0) {
    *before = starts++;
    return;
  }
  const std::size_t j = levels - 1;
  const Count step = sense * link.step[j], stride = strides_[j];
  const Count begin = std::max(Count{0}, -step), end = std::min(widths_[j], widths_[j] - step);
  std::fill_n(before, begin * stride, starts);
  for (Count x = begin; x < end; ++x) count_box(link, sense, j, before + x * stride, starts);
  std::fill(before + end * stride, before + widths_[j] * stride, starts);
}

/// Calls visit(column, target) for every column in which a step starts that ends inside the section.
template <class Visit>
void Section::for_each_start(const CellLink& link, std::span<const Count> rings, const Visit& visit,
                             std::size_t levels, Count column, Count target) const {
  const std::size_t j = levels - 1;
  const Count width = widths_[j], step = link.step[j], stride = strides_[j];
  const auto deeper = [&](Count x, Count x_target) {
    if (j == 0)  // where the columns of a row lie side by side
      visit(column + x, target + x_target);
    else
      for_each_start(link, rings, visit, j, column + x * stride, target + x_target * stride);
  };
  if (rings[j] == width) {
    for (Count x = 0; x < width; ++x) deeper(x, floor_modulo(x + step, width));
  } else {
    const Count end = std::min(width, width - step);
    for (Count x = std::max(Count{0}, -step); x < end; ++x) deeper(x, x + step);
  }
}

/// Where rows climb or a level wraps around, the two ends lie further apart from some columns than from
/// others. `positions` are those of the columns along the strip.
void Section::add_uneven_reaches(const CellLink& link, std::span<const Count> positions,
                                 std::span<const Count> rings) {
  const std::size_t first = reaches_.size();
  std::size_t i = first;
  const Count rows_ahead = link.step.back() * cells_;
  for_each_start(
      link, rings,
      [&](Count column, Count target) {
        const Count ahead = rows_ahead + positions[to_index(target)] - positions[to_index(column)];
        const Count distance = std::abs(ahead), start = ahead < 0 ? target : column;
        if (i == reaches_.size() || reaches_[i].distance != distance) {
          for (i = first; i < reaches_.size() && reaches_[i].distance != distance;) ++i;
          if (i == reaches_.size()) {
            reaches_.push_back({distance, link.weight, 0, distance / cells_, distance % cells_});
            starts_before_.resize(starts_before_.size() + to_size(cells_), 0);
          }
        }
        // Marks for now; made into counts of the columns before below.
        starts_before_[i * to_index(cells_) + to_index(start)] += 1;
      },
      widths_.size(), 0, 0);
  for (i = first; i < reaches_.size(); ++i) {
    Count* const marks = starts_before_.data() + i * to_index(cells_);
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

CrossingLinks::CrossingLinks(const Links& links, std::size_t its_level) : level(its_level) {
  for (CellLink link : links.list) {
    if (link.step[level] == 0) continue;
    if (link.step[level] < 0)
      for (Count& component : link.step) component = -component;
    reach = std::max(reach, link.step[level]);
    list.push_back(std::move(link));
  }
  std::stable_sort(list.begin(), list.end(), [](const CellLink& a, const CellLink& b) {
    return std::pair(a.step.back(), a.weight) < std::pair(b.step.back(), b.weight);
  });
}

/// Where a link may start along one level, and where it then ends; the ends go up or down with the starts.
struct StripTurn::Ends {
  Count begin, end;
  Count target, direction;  ///< Of the first start, and of the others.

  [[nodiscard]] std::size_t count() const { return to_size(std::max(Count{0}, end - begin)); }

  Ends(Count step, std::size_t j, std::size_t level, Count first, Count second) {
    if (j == level) {  // side by side: one is x before the border, the other the rest of the step behind it
      begin = std::max(Count{0}, step - second), end = std::min(first, step);
      target = step - 1 - begin, direction = -1;
    } else if (j < level) {  // the same interval, numbered from its two ends
      begin = std::max(Count{0}, step), end = std::min(first, first + step);
      target = first - 1 - begin + step, direction = -1;
    } else {  // both from the wall where the walk turned
      begin = std::max(Count{0}, -step), end = std::min(first, second - step);
      target = begin + step, direction = 1;
    }
  }
};

StripTurn::StripTurn(const CrossingLinks& links, const Section& first, const Section& second) {
  if (links.list.empty()) return;
  const std::size_t levels = links.list.front().step.size() - 1;
  std::vector<Ends> ends;
  std::size_t pairs = 0;
  ends.reserve(links.list.size() * levels);
  for (const CellLink& link : links.list) {
    std::size_t product = 1;
    for (std::size_t j = 0; j < levels; ++j)
      product *= ends.emplace_back(link.step[j], j, links.level, first.width(j), second.width(j)).count();
    pairs += product;
    const LinkGroup group{link.step.back(), link.weight, pairs};
    if (groups_.empty() || groups_.back().step != group.step || groups_.back().weight != group.weight)
      groups_.push_back(group);
    else
      groups_.back().end = pairs;
  }
  first_.reserve(pairs);
  second_.reserve(pairs);
  for (std::size_t i = 0; i < ends.size(); i += levels)
    add(std::span(ends).subspan(i, levels), {first, second}, 0, 0);
}

void StripTurn::add(std::span<const Ends> ends, const Sections& sections, Count first, Count second) {
  const std::size_t j = ends.size() - 1;
  const Count stride_first = sections.first.stride(j),
              stride_second = ends[j].direction * sections.second.stride(j);
  first += ends[j].begin * stride_first;
  second += ends[j].target * sections.second.stride(j);
  for (Count x = ends[j].begin; x < ends[j].end; ++x, first += stride_first, second += stride_second)
    if (j > 0) {
      add(ends.first(j), sections, first, second);
    } else {
      first_.push_back(static_cast<std::uint32_t>(first));
      second_.push_back(static_cast<std::uint32_t>(second));
    }
}

Count StripTurn::kept(const Section& first, Count before, const Section& second, Count after) const {
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
    sum += weight * low * to_count(end - i);
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
