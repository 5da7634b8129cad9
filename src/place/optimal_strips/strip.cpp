// SPDX-License-Identifier: BSD-3-Clause
#include "place/optimal_strips/strip.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"

#include <algorithm>

namespace halocline::place {
namespace {

constexpr std::size_t most_wholes = 1 << 16;

}  // namespace

Strip::Strip(Section section, Count length, const Counts& sizes)
    : section_(std::move(section)), length_(length) {
  kinds_.reserve(sizes.size());
  Count places = 0;
  for (const Count size : sizes) {
    kinds_.push_back({size, size % section_.cells(), places});
    places += size;
  }
  if (places <= largest_table) kept_at_.resize(to_size(places));
  if (sizes.size() > 1 && sizes.back() <= largest_table)
    for (Counts* pieces : {&first_piece_, &last_piece_}) pieces->resize(to_size(sizes.back()));
  const std::size_t wholes = sizes.size() * to_size(section_.cells());
  if (wholes <= most_wholes) whole_at_.resize(wholes);
  forget();
}

void Strip::set_rows(const Links& links, std::span<const Count> slope, std::span<const Count> rings) {
  section_.set_rows(links, slope, rings);
  forget();
}

void Strip::forget() {
  for (Counts* known : {&kept_at_, &whole_at_, &first_piece_, &last_piece_})
    std::fill(known->begin(), known->end(), unknown);
}

Count Strip::kept_in_section(Count column, Count length) const {
  steps_ += section_.steps();
  return section_.kept(column, length);
}

inline Count Strip::kept_by_one(std::size_t kind, Count column) {
  ++steps_;
  if (whole_at_.empty()) return kept_in_section(column, kinds_[kind].size);
  Count& known = whole_at_[kind * to_index(section_.cells()) + to_index(column)];
  if (known == unknown) known = kept_in_section(column, kinds_[kind].size);
  return known;
}

inline Count Strip::kept_by_piece(Counts& known, Count column, Count length) const {
  if (known.empty()) return kept_in_section(column, length);
  Count& kept = known[to_index(length)];
  if (kept == unknown) kept = kept_in_section(column, length);
  return kept;
}

Count Strip::sum_over_nodes(const NodeLine::Stretch* stretch, Count begin) {
  const Count end = begin + cells();
  Count position = begin, column = section_.column(0), sum = 0;
  if (const Count past = stretch->past(begin); past > 0) {
    const Count piece = std::min(stretch->size - past, end - position);
    sum += kept_by_piece(first_piece_, column, piece);
    position += piece;
    column = moved(column, piece % section_.cells());
  }
  while (position < end) {
    if (position == stretch->end()) ++stretch;
    const Count left = std::min(stretch->end(), end) - position;
    if (left < stretch->size) return sum + kept_by_piece(last_piece_, column, left);
    if (stretch->nodes == 1) {
      sum += kept_by_one(stretch->kind, column);
      column = moved(column, kinds_[stretch->kind].shift);
      position += stretch->size;
    } else {
      const Count whole = left / stretch->size;
      sum += kept_by_whole(stretch->kind, whole, column);
      position += whole * stretch->size;
    }
  }
  return sum;
}

Count Strip::kept_by_whole(std::size_t kind, Count count, Count& column) {
  const Count start = column, shift = kinds_[kind].shift;
  Count sum = 0;
  for (Count i = 0; i < count; ++i) {
    sum += kept_by_one(kind, column);
    column = moved(column, shift);
    if (column == start && i + 1 < count) {  // from here on columns repeat: take all full cycles at once
      const Count cycle = i + 1, rest = count % cycle;
      return count / cycle * sum + (rest > 0 ? kept_by_whole(kind, rest, column) : 0);
    }
  }
  return sum;
}

}  // namespace halocline::place
