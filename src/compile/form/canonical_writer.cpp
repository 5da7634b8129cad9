// SPDX-License-Identifier: BSD-3-Clause
#include "compile/form/canonical_writer.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "compile/form/run_patterns.hpp"

#include <cstdint>
#include <optional>

namespace halocline::compile {
namespace {

/// Groups of up to so many runs are recognised when they repeat.
constexpr std::size_t most_grouped = 64;
/// How many runs a nest in the middle of a list must have to become a term of its own.
constexpr std::size_t least_own_term = 8;

/// May a nest of `least_own_term` runs begin here? Let its innermost loop have n rounds. With n = 2 its first
/// step comes again as the third, the fifth and the seventh one, with n = 3 as the second and the fourth,
/// with more as the second and the third.
bool may_begin_nest(const Segment* run) {
  const Count first = run[1].offset - run[0].offset;
  const auto again = [&](int i) { return run[i].offset - run[i - 1].offset == first; };
  if (!(again(2) ? again(3) || again(4) : again(3) && again(5) && again(7))) return false;
  return run[1].bytes == run[0].bytes && run[least_own_term - 1].bytes == run[0].bytes;
}

/// The next run from `i` on that a nest of `least_own_term` runs may begin with, or the end.
std::size_t next_candidate(std::span<const Segment> runs, std::size_t i) {
  if (i + least_own_term > runs.size()) return runs.size();
  const Segment* run = runs.data() + i;
  const Segment* const last = runs.data() + (runs.size() - least_own_term);
  const auto index = [&](const Segment* found) { return to_index(found - runs.data()); };
  // One of the next two steps is the first again. Three runs a round: no step changes its place.
  const auto begins = [](Count step, Count next, Count third, const Segment* first) {
    return (next == step || third == step) && may_begin_nest(first);
  };
  Count a = run[1].offset - run[0].offset;
  Count b = run[2].offset - run[1].offset;
  for (; last - run >= 2; run += 3) {
    const Count c = run[3].offset - run[2].offset;
    if (begins(a, b, c, run)) return index(run);
    a = run[4].offset - run[3].offset;
    if (begins(b, c, a, run + 1)) return index(run + 1);
    b = run[5].offset - run[4].offset;
    if (begins(c, a, b, run + 2)) return index(run + 2);
  }
  for (; run <= last; ++run)
    if (may_begin_nest(run)) return index(run);
  return runs.size();
}

/// May the list begin with two copies of its first `group` runs?
bool may_repeat(std::span<const Segment> runs, std::size_t group) {
  const Segment first = runs[0], last = runs[group - 1];
  const Segment next_first = runs[group], next_last = runs[2 * group - 1];
  return first.bytes == next_first.bytes && last.bytes == next_last.bytes &&
         next_last.offset - last.offset == next_first.offset - first.offset;
}

/// The least group of runs of which the whole list is made by loops, and those loops.
std::optional<std::size_t> repeated_group(std::span<const Segment> runs, Nest& loops) {
  const std::size_t leading = leading_nest(runs, 1, loops);
  if (leading == runs.size()) return 1;
  // Two copies of a group within the leading nest have no other copies than that nest has, so that they end
  // where it does.
  for (std::size_t group = leading / 2 + 1; group <= most_grouped && 2 * group <= runs.size(); ++group)
    if (may_repeat(runs, group) && runs.size() % group == 0 &&
        leading_nest(runs, group, loops) == runs.size())
      return group;
  return std::nullopt;
}

}  // namespace

void CanonicalWriter::write(const RunSequence& form) {
  write_terms(form);
  // Room for lengths that turned out to be equal is given back where it is worth a copy.
  constexpr std::size_t much = 1 << 16;
  const std::size_t unused = out_.narrow_.capacity() - out_.narrow_.size();
  if (unused > much && unused > out_.narrow_.size() / 2) out_.narrow_.shrink_to_fit();
}

void CanonicalWriter::write_terms(const RunSequence& form) {
  switch (form.kind()) {
    case RunSequence::Kind::empty:
      return;
    case RunSequence::Kind::nest:
      return write_nest(form.nest());
    case RunSequence::Kind::runs:
      return write_plain(form.runs());
    case RunSequence::Kind::items:
      share_lists_ = form.items().size() > 1;
      for (const RunSequence::Item& item : form.items()) write_item(item);
  }
}

void CanonicalWriter::write_item(const RunSequence::Item& item) {
  if (!item.list) return write_nest(item.nest);
  origin_ = item.nest.offset;
  if (item.nest.levels == 0) {
    write_plain(*item.list);
  } else {
    Nest loops;
    const std::optional<std::size_t> group = repeated_group(*item.list, loops);
    const bool both_fit = group && loops.levels + item.nest.levels <= Nest::most_levels;
    if (!both_fit) loops = {};
    for (std::size_t i = 0; i < item.nest.levels; ++i)
      loops.repeat(item.nest.dims[i].count, item.nest.dims[i].stride);
    if (both_fit && *group == 1)
      write_nest(loops);
    else
      write_list(SegmentSpan(*item.list).first(both_fit ? *group : item.list->size()), loops);
  }
  origin_ = 0;
}

void CanonicalWriter::write_plain(SegmentSpan runs) {
  Nest loops;
  if (const std::optional<std::size_t> group = repeated_group(runs, loops)) {
    if (*group == 1) return write_nest(loops);
    return write_list(runs.first(*group), loops);
  }
  std::size_t irregular = 0;  // runs before i that are not written yet
  const auto write_irregular = [&](std::size_t end) {
    if (irregular > 0) write_list(runs.subspan(end - irregular, irregular), {});
    irregular = 0;
  };
  for (std::size_t i = 0; i < runs.size();) {
    const std::size_t candidate = next_candidate(runs, i);
    irregular += candidate - i;
    i = candidate;
    if (i == runs.size()) break;
    const std::size_t covered = leading_nest(runs.subspan(i), 1, loops);
    if (covered < least_own_term) {
      ++i;
      ++irregular;
      continue;
    }
    write_irregular(i);
    write_nest(loops);
    i += covered;
  }
  write_irregular(runs.size());
}

void CanonicalWriter::write_dims(Canonical::Term& term, const Nest& nest) {
  term.first_dim = count_of(out_.dims_);
  term.dims = to_count(nest.levels);
  for (std::size_t i = nest.levels; i-- > 0;) out_.dims_.push_back(nest.dims[i]);
}

void CanonicalWriter::write_nest(const Nest& nest) {
  Canonical::Term term;
  term.offset = origin_ + nest.offset;
  term.block = nest.block;
  term.bytes = nest.runs() * nest.block;
  write_dims(term, nest);
  out_.terms_.push_back(term);
  out_.bytes_ += term.bytes;
}

void CanonicalWriter::write_list(SegmentSpan runs, const Nest& loops) {
  if (runs.size() == 1 && loops.levels == 0) {
    Nest single;
    single.offset = runs[0].offset;
    single.block = runs[0].bytes;
    return write_nest(single);
  }
  Canonical::Term term;
  write_entries(term, runs);
  term.offset = origin_ + runs.front().offset;
  term.bytes *= loops.runs();
  write_dims(term, loops);
  out_.terms_.push_back(term);
  out_.bytes_ += term.bytes;
}

void CanonicalWriter::write_entries(Canonical::Term& term, SegmentSpan runs) {
  if (const auto known = written_.find(runs.data());
      known != written_.end() && known->second.entries == count_of(runs)) {
    term = known->second;
    return;
  }
  const Segment first = runs.front();
  const Segment* const run = runs.data();
  const std::size_t count = runs.size();
  // Written in 32 bits, while it is found out whether they suffice and whether all lengths are equal: one
  // pass that the compiler can vectorize.
  constexpr auto below_zero = std::uint64_t{1} << 31;  // so far a narrow offset may be
  const std::size_t begin = out_.narrow_.size();
  out_.narrow_.resize(begin + 2 * count);
  std::int32_t* const offsets = out_.narrow_.data() + begin;
  std::int32_t* const lengths = offsets + count;
  Count different = 0;
  std::uint64_t offsets_above = 0;
  Count lengths_above = 0;
  Count bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Count offset = run[i].offset - first.offset;
    offsets[i] = static_cast<std::int32_t>(offset);
    lengths[i] = static_cast<std::int32_t>(run[i].bytes);
    offsets_above |= static_cast<std::uint64_t>(offset) + below_zero;
    lengths_above |= run[i].bytes;
    different |= run[i].bytes ^ first.bytes;
    bytes += run[i].bytes;
  }
  const bool equal = different == 0;
  const std::size_t entries = equal ? count : 2 * count;
  term.bytes = bytes;
  term.narrow = offsets_above >> 32 == 0 && lengths_above >> 31 == 0;
  term.kind = equal ? Canonical::Term::Kind::blocks : Canonical::Term::Kind::runs;
  term.block = equal ? first.bytes : 0;
  term.entries = to_count(count);
  out_.narrow_.resize(begin + (term.narrow ? entries : 0));
  term.first_entry = to_count(term.narrow ? begin : out_.wide_.size());
  if (!term.narrow) {
    for (const Segment& each : runs) out_.wide_.push_back(each.offset - first.offset);
    if (!equal)
      for (const Segment& each : runs) out_.wide_.push_back(each.bytes);
  }
  if (share_lists_) written_.emplace(runs.data(), term);
}

}  // namespace halocline::compile
