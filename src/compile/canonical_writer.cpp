#include "compile/canonical_writer.hpp"

#include "compile/run_patterns.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace halocline::compile {
namespace {

/// Groups of up to so many runs are recognised when they repeat.
constexpr std::size_t most_grouped = 64;
/// What a part of a list must have to become a term of its own.
constexpr std::size_t least_own_term = 8;

bool fits_narrow(Count value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

/// The least group of runs of which the whole list is made by loops, and those loops.
std::optional<std::size_t> repeated_group(std::span<const Segment> runs, Nest& loops) {
  for (std::size_t group = 1; group <= most_grouped && 2 * group <= runs.size(); ++group)
    if (runs.size() % group == 0 && leading_nest(runs, group, loops) == runs.size()) return group;
  return std::nullopt;
}

}  // namespace

void CanonicalWriter::write(const Form& form) {
  switch (form.kind()) {
    case Form::Kind::empty:
      return;
    case Form::Kind::nest:
      return write_nest(form.nest());
    case Form::Kind::runs:
      return write_plain(form.runs());
    case Form::Kind::items:
      share_lists_ = form.items().size() > 1;
      for (const Form::Item& item : form.items()) write_item(item);
  }
}

void CanonicalWriter::write_item(const Form::Item& item) {
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
      write_list(Runs(*item.list).first(both_fit ? *group : item.list->size()), loops);
  }
  origin_ = 0;
}

void CanonicalWriter::write_plain(Runs runs) {
  Nest loops;
  if (const std::optional<std::size_t> group = repeated_group(runs, loops)) {
    if (*group == 1) return write_nest(loops);
    return write_list(runs.first(*group), loops);
  }
  std::size_t irregular = 0;  // runs before i that are not written yet
  for (std::size_t i = 0; i < runs.size();) {
    const std::size_t covered = leading_nest(runs.subspan(i), 1, loops);
    if (covered < least_own_term) {
      ++i;
      ++irregular;
      continue;
    }
    write_irregular(runs.subspan(i - irregular, irregular));
    irregular = 0;
    write_nest(loops);
    i += covered;
  }
  write_irregular(runs.last(irregular));
}

/// Stretches of equal length are lists of blocks, what is between them lists of runs.
void CanonicalWriter::write_irregular(Runs runs) {
  std::size_t mixed = 0;  // runs before i that are not written yet
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t equal = 1;
    while (i + equal < runs.size() && runs[i + equal].bytes == runs[i].bytes) ++equal;
    if (equal < least_own_term) {
      mixed += equal;
    } else {
      if (mixed > 0) write_list(runs.subspan(i - mixed, mixed), {});
      mixed = 0;
      write_list(runs.subspan(i, equal), {});
    }
    i += equal;
  }
  if (mixed > 0) write_list(runs.last(mixed), {});
}

void CanonicalWriter::write_dims(Canonical::Term& term, const Nest& nest) {
  term.first_dim = static_cast<Count>(out_.dims_.size());
  term.dims = static_cast<Count>(nest.levels);
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

void CanonicalWriter::write_list(Runs runs, const Nest& loops) {
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

void CanonicalWriter::write_entries(Canonical::Term& term, Runs runs) {
  if (const auto known = written_.find(runs.data());
      known != written_.end() && known->second.entries == static_cast<Count>(runs.size())) {
    term = known->second;
    return;
  }
  const Segment first = runs.front();
  bool equal = true;
  term.narrow = true;
  for (const Segment& run : runs) {
    equal = equal && run.bytes == first.bytes;
    term.narrow = term.narrow && fits_narrow(run.offset - first.offset) && fits_narrow(run.bytes);
    term.bytes += run.bytes;
  }
  term.kind = equal ? Canonical::Term::Kind::blocks : Canonical::Term::Kind::runs;
  term.block = equal ? first.bytes : 0;
  term.entries = static_cast<Count>(runs.size());
  const auto append = [&](auto& entries) {
    using Entry = typename std::decay_t<decltype(entries)>::value_type;
    term.first_entry = static_cast<Count>(entries.size());
    for (const Segment& run : runs) entries.push_back(static_cast<Entry>(run.offset - first.offset));
    if (equal) return;
    for (const Segment& run : runs) entries.push_back(static_cast<Entry>(run.bytes));
  };
  if (term.narrow) {
    out_.narrow_.reserve(out_.narrow_.size() + 2 * runs.size());
    append(out_.narrow_);
  } else {
    append(out_.wide_);
  }
  if (share_lists_) written_.emplace(runs.data(), term);
}

}  // namespace halocline::compile
