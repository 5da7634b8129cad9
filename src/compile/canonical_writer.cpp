#include "compile/canonical_writer.hpp"

#include "compile/run_patterns.hpp"

#include <optional>

namespace halocline::compile {
namespace {

/// Groups of up to so many runs are recognised when they repeat.
constexpr std::size_t most_grouped = 64;
/// How many runs a nest in the middle of a list must have to become a term of its own.
constexpr std::size_t least_own_term = 8;

/// The next run from `i` on that a nest of `least_own_term` runs may begin with, or the end. In such a nest
/// the first step comes again at least twice among the next four, however long its innermost loop is.
std::size_t next_candidate(std::span<const Segment> runs, std::size_t i) {
  const Segment* const run = runs.data();
  if (i + least_own_term > runs.size()) return runs.size();
  Count step = run[i + 1].offset - run[i].offset;
  Count next = run[i + 2].offset - run[i + 1].offset;
  for (; i + least_own_term <= runs.size(); ++i) {
    const Count third = run[i + 3].offset - run[i + 2].offset;
    if (next == step || third == step) {
      const auto again = [&](std::size_t from) { return run[from + 1].offset - run[from].offset == step; };
      if (again(i + 1) + again(i + 2) + again(i + 3) + again(i + 4) >= 2) return i;
    }
    step = next;
    next = third;
  }
  return runs.size();
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
  // One pass that the compiler can vectorize: are lengths equal, and does everything fit in 32 bits?
  Count different = 0;
  Count beyond = 0;
  for (const Segment& run : runs) {
    const Count offset = run.offset - first.offset;
    different |= run.bytes ^ first.bytes;
    beyond |=
        (offset ^ static_cast<std::int32_t>(offset)) | (run.bytes ^ static_cast<std::int32_t>(run.bytes));
    term.bytes += run.bytes;
  }
  const bool equal = different == 0;
  term.narrow = beyond == 0;
  term.kind = equal ? Canonical::Term::Kind::blocks : Canonical::Term::Kind::runs;
  term.block = equal ? first.bytes : 0;
  term.entries = static_cast<Count>(runs.size());
  const auto append = [&](auto& entries) {
    using Entry = typename std::decay_t<decltype(entries)>::value_type;
    const std::size_t begin = entries.size();
    term.first_entry = static_cast<Count>(begin);
    entries.resize(begin + (equal ? 1 : 2) * runs.size());
    Entry* const offsets = entries.data() + begin;
    for (std::size_t i = 0; i < runs.size(); ++i)
      offsets[i] = static_cast<Entry>(runs[i].offset - first.offset);
    if (equal) return;
    for (std::size_t i = 0; i < runs.size(); ++i)
      offsets[runs.size() + i] = static_cast<Entry>(runs[i].bytes);
  };
  if (term.narrow)
    append(out_.narrow_);
  else
    append(out_.wide_);
  if (share_lists_) written_.emplace(runs.data(), term);
}

}  // namespace halocline::compile
