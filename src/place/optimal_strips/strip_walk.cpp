// SPDX-License-Identifier: BSD-3-Clause
#include "place/optimal_strips/strip_walk.hpp"

#include "base/index.hpp"
#include "place/simple/per_level.hpp"

#include <algorithm>

namespace halocline::place {
namespace {

/// For each level whether the number of its intervals in a part is odd, as bits; sets the turns on the way.
/// Parts come before their sub-parts in the list, and a part may serve several intervals.
std::uint64_t count_turns(StripPlan& plan, std::size_t part, std::size_t level, std::vector<bool>& done,
                          std::vector<std::uint64_t>& odd) {
  if (done[part]) return odd[part];
  std::uint64_t turns = 0;
  for (StripPlan::Interval& interval : plan.parts[part]) {
    interval.turns = turns;
    turns ^= std::uint64_t{2} << level;
    if (level + 2 < plan.order.size()) turns ^= count_turns(plan, interval.part, level + 1, done, odd);
  }
  done[part] = true;
  return odd[part] = turns;
}

/// The interval that holds `x`.
const StripPlan::Interval& interval_at(const StripPlan::Intervals& part, Count x) {
  const StripPlan::Interval* first = part.data();
  for (std::size_t size = part.size(); size > 1;) {
    const std::size_t half = size / 2;
    first += first[half].start <= x ? half : 0;
    size -= half;
  }
  return *first;
}

/// Is a row filled against the direction in which its level is walked? Both directions may be turned around.
bool fills_backwards(Fill fill, bool level_turned, bool rows_turned) {
  if (fill == Fill::as_walked) return false;
  return (level_turned != rows_turned) != (fill == Fill::against_rows);
}

}  // namespace

Counts largest_widths(const StripPlan& plan) {
  Counts largest(plan.order.size() - 1, 1);
  std::vector<std::size_t> level(plan.parts.size(), 0);  // parts come before their sub-parts
  for (std::size_t part = 0; part < plan.parts.size(); ++part)
    for (const StripPlan::Interval& interval : plan.parts[part]) {
      largest[level[part]] = std::max(largest[level[part]], interval.width);
      if (level[part] + 1 < largest.size()) level[interval.part] = level[part] + 1;
    }
  return largest;
}

void set_turns(StripPlan& plan) {
  std::vector<bool> done(plan.parts.size());
  std::vector<std::uint64_t> odd(plan.parts.size());
  if (!plan.parts.empty()) count_turns(plan, 0, 0, done, odd);
}

StripWalk::StripWalk(const Grid& grid, StripPlan plan, NodeLine nodes)
    : plan_(std::move(plan)), nodes_(std::move(nodes)) {
  for (const std::size_t d : plan_.order) extents_.push_back(grid.extents()[d]);
  beyond_.assign(extents_.size(), 1);
  for (std::size_t j = extents_.size() - 1; j-- > 0;) beyond_[j] = beyond_[j + 1] * extents_[j + 1];
  if (std::any_of(plan_.rows.slope.begin(), plan_.rows.slope.end(), [](Count slope) { return slope != 0; })) {
    largest_shift_ = row_shift(largest_widths(plan_), plan_.rows.slope, 0);
    Counts widths;
    std::map<Counts, std::size_t> known;
    slant(0, widths, known);
  }
  level_of_last_ = to_index(std::find(plan_.order.begin(), plan_.order.end(), plan_.order.size() - 1) -
                            plan_.order.begin());
}

void StripWalk::slant(std::size_t part, Counts& widths, std::map<Counts, std::size_t>& known) {
  for (StripPlan::Interval& interval : plan_.parts[part]) {
    widths.push_back(interval.width);
    if (widths.size() + 1 < extents_.size()) {
      slant(interval.part, widths, known);
    } else {
      const auto [section, is_new] = known.try_emplace(widths, slanted_.size());
      if (is_new) slanted_.emplace_back(widths, plan_.rows.slope, extents_.back());
      interval.part = section->second;
    }
    widths.pop_back();
  }
}

void StripWalk::locate(Rank rank, std::span<Count> cell) const { cell_at(nodes_.position(rank), cell); }

Rank StripWalk::owner(std::span<const Count> cell) const { return nodes_.rank(row_from(cell).first); }

void StripWalk::owners(const Grid& grid, Count first, std::span<Rank> ranks) const {
  // At the ends of a strip, slanted rows are cut off.
  const EvenDimension along{plan_.order.back(), largest_shift_, extents_.back() - largest_shift_};
  fill_by_rows(grid, first, ranks, along, [&](const Cell& cell) { return row_from(cell); });
  nodes_.make_ranks(ranks);
}

EvenRow StripWalk::row_from(std::span<const Count> cell) const {
  struct Crossing {
    Count inside, width, section;
  };
  const std::size_t last = extents_.size() - 1;
  PerLevel<Crossing> crossings(last);

  std::size_t part = 0;
  std::uint64_t turns = 0;
  Count position = 0, section = 1;  // section: cells of the strip's cross-section so far
  for (std::size_t j = 0; j < last; ++j) {
    const Count coordinate = cell[plan_.order[j]];
    const Count x = turns >> j & 1 ? extents_[j] - 1 - coordinate : coordinate;
    const StripPlan::Interval& interval = interval_at(plan_.parts[part], x);
    position += interval.start * section * beyond_[j];
    crossings[j] = {x - interval.start, interval.width, section};
    section *= interval.width;
    part = interval.part;
    turns ^= interval.turns;
  }
  const bool back = turns >> last & 1;
  const Count coordinate = cell[plan_.order[last]],
              along = back ? extents_[last] - 1 - coordinate : coordinate;
  EvenRow row{0, back ? -section : section, extents_[last] - coordinate};
  Count column = 0;
  for (std::size_t j = 0; j < last; ++j) {
    const auto& [inside, width, spacing] = crossings[j];
    const bool turned = turns >> j & 1;
    const bool flipped = fills_backwards(plan_.rows.fill[j], turned, back);
    column += (flipped ? width - 1 - inside : inside) * spacing;
    if (j == level_of_last_) {
      row.spacing = turned != flipped ? -spacing : spacing;
      row.length = turned ? inside + 1 : width - inside;
    }
  }
  row.first = position + along * section + column;
  if (!slanted_.empty()) {
    const SlantedRows::Place place{along, column};
    row.first = position + slanted_[part].position(place);
    row.length = level_of_last_ == last ? slanted_[part].even_cells(place, back) : 1;
  }
  return row;
}

void StripWalk::cell_at(Count position, std::span<Count> cell) const {
  const std::size_t last = extents_.size() - 1;
  PerLevel<const StripPlan::Interval*> intervals(last);

  std::size_t part = 0;
  std::uint64_t turns = 0;
  Count section = 1;
  for (std::size_t j = 0; j < last; ++j) {
    const Count layer = section * beyond_[j];
    const StripPlan::Interval& interval = interval_at(plan_.parts[part], position / layer);
    position -= interval.start * layer;
    section *= interval.width;
    part = interval.part;
    intervals[j] = &interval;
    turns ^= interval.turns;
  }
  // The turns of level j are set by the intervals of earlier levels only, so the sum of all serves each.
  const auto place = [&](std::size_t j, Count x) {
    cell[plan_.order[j]] = turns >> j & 1 ? extents_[j] - 1 - x : x;
  };
  SlantedRows::Place inside{position / section, position % section};
  if (!slanted_.empty()) inside = slanted_[part].place(position);
  place(last, inside.along);
  for (std::size_t j = 0; j < last; ++j) {
    const auto& [start, width, next_part, next_turns] = *intervals[j];
    const Count x = inside.column % width;
    inside.column /= width;
    place(j, start + (fills_backwards(plan_.rows.fill[j], turns >> j & 1, turns >> last & 1) ? width - 1 - x
                                                                                             : x));
  }
}

}  // namespace halocline::place
