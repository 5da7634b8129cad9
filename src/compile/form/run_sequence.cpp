// SPDX-License-Identifier: BSD-3-Clause
#include "compile/form/run_sequence.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "compile/form/run_patterns.hpp"
#include "halocline/base/error.hpp"

#include <algorithm>
#include <utility>

namespace halocline::compile {
namespace {

/// Loops are unrolled to plain runs up to here. Joining halves the number of runs at most, so that whatever
/// ends with Canonical::exact_runs was unrolled.
constexpr Count most_unrolled = 2 * Canonical::exact_runs + 96;
/// A nest of so few runs is better off in a list beside it.
constexpr Count few_runs = 16;
constexpr Count most_items = Count{1} << 24;

/// Blocks of a nest of so few runs do not join each other (RunSequence::repeat sees to that), but the first
/// of them may continue what is there.
void unroll(const Nest& nest, Count offset, RunList& runs) {
  const std::size_t before = runs.size();
  const bool joins = before > 0 && runs.back().offset + runs.back().bytes == nest.offset + offset;
  runs.resize(before + to_size(nest.runs()));
  Segment* const first = runs.data() + before;
  *first = {nest.offset + offset, nest.block};
  std::size_t written = 1;
  for (std::size_t level = 0; level < nest.levels; ++level) {
    const auto [count, stride] = nest.dims[level];
    const std::size_t rest = (to_size(count) - 1) * written;
    for (std::size_t i = 0; i < rest; ++i) first[written + i] = {first[i].offset + stride, first[i].bytes};
    written += rest;
  }
  if (!joins) return;
  runs[before - 1].bytes += nest.block;
  runs.erase(runs.begin() + to_count(before));
}

RunSequence::Item item_of(RunList runs) {
  RunSequence::Item item;
  item.nest.offset = runs.front().offset;
  for (Segment& run : runs) run.offset -= item.nest.offset;
  item.list = std::make_shared<const RunList>(std::move(runs));
  return item;
}

}  // namespace

RunSequence::RunSequence(RunList runs)
    : kind_(runs.empty() ? Kind::empty : Kind::runs), runs_(std::move(runs)) {}

Count RunSequence::run_count() const {
  switch (kind_) {
    case Kind::empty:
      return 0;
    case Kind::nest:
      return nest_.runs();
    case Kind::runs:
      return count_of(runs_);
    case Kind::items:
      break;
  }
  return most_unrolled + 1;
}

void RunSequence::shift(Count offset) {
  if (offset == 0) return;
  nest_.offset += offset;
  for (Segment& run : runs_) run.offset += offset;
  for (Item& item : items_) item.nest.offset += offset;
}

void RunSequence::become_runs() {
  if (kind_ == Kind::nest) unroll(nest_, 0, runs_);
  kind_ = Kind::runs;
}

void RunSequence::become_items() {
  if (kind_ == Kind::nest) items_.push_back({nest_, nullptr});
  if (kind_ == Kind::runs) items_.push_back(item_of(std::exchange(runs_, {})));
  kind_ = Kind::items;
}

void RunSequence::repeat(Count count, Count stride) {
  if (count == 0) *this = {};
  if (count == 1 || kind_ == Kind::empty) return;
  const Count all_runs = run_count() <= most_unrolled / count ? run_count() * count : most_unrolled + 1;
  if (kind_ == Kind::nest && nest_.takes_loop(stride) && !(nest_.joins(stride) && all_runs <= most_unrolled))
    return nest_.repeat(count, stride);
  if (all_runs <= most_unrolled) {
    become_runs();
    const RunList once = runs_;  // the last run may grow by joining the next copy
    runs_.reserve(to_size(all_runs));
    for (Count i = 1; i < count; ++i)
      for (const Segment& run : once) add_run(runs_, {run.offset + i * stride, run.bytes});
    return;
  }
  become_items();
  if (items_.size() == 1 && items_.front().nest.takes_loop(stride))
    return items_.front().nest.repeat(count, stride);
  const auto once = count_of(items_);
  if (count > most_items / once)
    fail(Fault::unsupported, count, " copies of a layout of ", once, " different loops are not supported");
  items_.reserve(to_size(once * count));
  for (Count i = 1; i < count; ++i)
    for (Count j = 0; j < once; ++j) {
      items_.push_back(items_[to_index(j)]);
      items_.back().nest.offset += i * stride;
    }
}

void RunSequence::append(const RunSequence& piece, Count offset) { append(piece, offset, most_unrolled); }

void RunSequence::append(const RunSequence& piece, Count offset, Count most_runs) {
  if (piece.kind_ == Kind::empty) return;
  if (kind_ == Kind::empty) {
    *this = piece;
    return shift(offset);
  }
  if (kind_ == Kind::nest && piece.kind_ == Kind::nest && nest_.continue_with(piece.nest_, offset)) return;
  const Count added = piece.run_count();
  const bool listed = piece.kind_ == Kind::runs || added <= few_runs;
  if (kind_ != Kind::items && piece.kind_ != Kind::items &&
      (run_count() + added <= most_runs || (kind_ == Kind::runs && listed))) {
    become_runs();
    if (piece.kind_ == Kind::nest) unroll(piece.nest_, offset, runs_);
    for (const Segment& run : piece.runs_) add_run(runs_, {run.offset + offset, run.bytes});
    return;
  }
  become_items();
  append_items(piece, offset);
}

RunSequence RunSequence::sequence(std::vector<Placed> pieces) {
  if (pieces.size() == 1) {
    pieces.front().form.shift(pieces.front().offset);
    return std::move(pieces.front().form);
  }
  Count runs = 0;
  for (const Placed& piece : pieces) runs = std::min(runs + piece.form.run_count(), most_unrolled + 1);
  // What will be too long in the end need not be unrolled on the way.
  const Count most_runs = runs <= most_unrolled ? most_unrolled : 0;
  RunSequence all;
  for (const Placed& piece : pieces) all.append(piece.form, piece.offset, most_runs);
  return all;
}

void RunSequence::settle() {
  if (kind_ != Kind::runs) return;
  Nest found;
  if (leading_nest(runs_, 1, found) != runs_.size()) return;
  nest_ = found;
  runs_.clear();
  kind_ = Kind::nest;
}

void RunSequence::append_items(const RunSequence& piece, Count offset) {
  if (piece.kind_ == Kind::items) {
    for (const Item& item : piece.items_) {
      items_.push_back(item);
      items_.back().nest.offset += offset;
    }
    return;
  }
  if (piece.kind_ == Kind::nest && !items_.back().list &&
      items_.back().nest.continue_with(piece.nest_, offset))
    return;
  RunSequence moved = piece;
  moved.shift(offset);
  moved.become_items();
  items_.push_back(std::move(moved.items_.front()));
}

}  // namespace halocline::compile
