// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/describe/runs.hpp"

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"

#include <algorithm>

namespace halocline {
namespace {

/// The last run that starts at or before `where`.
std::size_t run_at(const Counts& firsts, Count where) {
  return to_size(std::upper_bound(firsts.begin(), firsts.end(), where) - firsts.begin()) - 1;
}

}  // namespace

Runs::Runs(const Counts& values) {
  for (const Count value : values) append(value);
}

Runs Runs::of(Count repeats, Count value) {
  Runs runs;
  runs.append(value, repeats);
  return runs;
}

void Runs::append(Count value, Count repeats) {
  require(value >= 1, "the size ", value, " is not positive");
  require(repeats >= 0, "a size cannot be repeated ", repeats, " times");
  if (repeats == 0) return;
  const Count total = checked_add(total_, checked_multiply(repeats, value));
  if (!runs_.empty() && runs_.back().value == value) {
    runs_.back().repeats += repeats;
  } else {
    runs_.push_back({repeats, value});
    first_index_.push_back(size_);
    first_position_.push_back(total_);
  }
  size_ += repeats;  // cannot overflow before the total does
  total_ = total;
}

Runs Runs::parse(std::string_view text) {
  Scanner scan("list of sizes", text, "50x48 (50 of 48), \"40x48,20x24\" or 48,48,17");
  Runs runs;
  scan.whole_list([&](Scanner&) {
    const Count first = scan.integer();
    const bool repeated = scan.accept("x");
    const Count value = repeated ? scan.integer() : first;
    const Count repeats = repeated ? first : 1;
    if (value < 1) scan.refuse("the size ", value, " is not positive");
    if (repeats < 1) scan.refuse("a size cannot be repeated ", repeats, " times");
    runs.append(value, repeats);
  });
  return runs;
}

Count Runs::operator[](Count index) const { return runs_[run_at(first_index_, index)].value; }

Count Runs::start(Count index) const {
  if (index == size_) return total_;
  const std::size_t run = run_at(first_index_, index);
  return first_position_[run] + (index - first_index_[run]) * runs_[run].value;
}

Count Runs::find(Count position) const {
  const std::size_t run = run_at(first_position_, position);
  return first_index_[run] + (position - first_position_[run]) / runs_[run].value;
}

std::string Runs::to_text() const {
  std::string text;
  for (const auto& [repeats, value] : runs_) {
    if (!text.empty()) text += ',';
    if (repeats > 1) text += std::to_string(repeats) + 'x';
    text += std::to_string(value);
  }
  return text;
}

}  // namespace halocline
