// SPDX-License-Identifier: BSD-3-Clause
#include "compile/form/canonical.hpp"

#include "base/fail.hpp"
#include "base/hash.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "compile/form/canonical_writer.hpp"
#include "compile/form/part_range.hpp"
#include "compile/form/traverse.hpp"

#include <algorithm>

namespace halocline::compile {
namespace {

/// From offset 0 on.
RunSequence form_of(const Part& part) {
  RunSequence form = traverse(part.layout);
  form.repeat(part.count, part.layout.extent());
  return form;
}

void mix(std::size_t& hash, std::uint64_t value) { hash = hash_with(hash, value); }

template <class Entry>
void append_entries(std::string& text, std::span<const Entry> offsets, std::span<const Entry> lengths) {
  constexpr std::size_t most_printed = 8;
  for (std::size_t i = 0; i < std::min(offsets.size(), most_printed); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(offsets[i]);
    if (!lengths.empty()) text += "+" + std::to_string(lengths[i]);
  }
  if (offsets.size() > most_printed) text += ",...";
}

}  // namespace

// Refuses what would leave 64 bits, so that nobody behind needs to look.
Canonical::Canonical(std::span<const Part> parts) {
  CanonicalWriter writer(*this);
  if (parts.size() == 1) {  // most often, and then without a list
    if (checked_bytes(parts.front()) == 0) return;
    RunSequence form = form_of(parts.front());
    form.shift(parts.front().offset);
    writer.write(form);
    return;
  }
  require_distances(parts);
  std::vector<RunSequence::Placed> forms;
  forms.reserve(parts.size());
  Count bytes = 0;
  for (const Part& part : parts) {
    const Count part_bytes = checked_bytes(part);
    if (part_bytes == 0) continue;
    bytes = checked_add(bytes, part_bytes);
    forms.push_back({form_of(part), part.offset});
  }
  writer.write(RunSequence::sequence(std::move(forms)));
}

std::span<const Canonical::Dim> Canonical::dims(const Term& term) const {
  return std::span(dims_).subspan(to_size(term.first_dim), to_size(term.dims));
}

std::span<const std::int32_t> Canonical::narrow_entries(const Term& term) const {
  return std::span(narrow_).subspan(to_size(term.first_entry),
                                    to_size(term.kind == Term::Kind::runs ? 2 * term.entries : term.entries));
}

std::span<const std::int64_t> Canonical::wide_entries(const Term& term) const {
  return std::span(wide_).subspan(to_size(term.first_entry),
                                  to_size(term.kind == Term::Kind::runs ? 2 * term.entries : term.entries));
}

Count Canonical::runs() const {
  Count all = 0;
  for (const Term& term : terms_) {
    if (term.block > 0) {
      all += term.bytes / term.block;
      continue;
    }
    Count runs = term.entries;
    for (const Dim& dim : dims(term)) runs *= dim.count;
    all += runs;
  }
  return all;
}

std::optional<Segment> Canonical::contiguous() const {
  if (terms_.empty()) return Segment{0, 0};
  const Term& term = terms_.front();
  if (terms_.size() > 1 || term.kind != Term::Kind::nest || term.dims > 0) return std::nullopt;
  return Segment{term.offset, term.bytes};
}

std::size_t Canonical::hash() const {
  auto hash = to_size(bytes_);
  for (const Term& term : terms_) {
    mix(hash, static_cast<std::uint64_t>(term.offset));
    mix(hash, static_cast<std::uint64_t>(term.block));
    mix(hash, static_cast<std::uint64_t>(term.entries));
  }
  for (const Dim& dim : dims_) {
    mix(hash, static_cast<std::uint64_t>(dim.count));
    mix(hash, static_cast<std::uint64_t>(dim.stride));
  }
  for (const std::int32_t entry : narrow_) mix(hash, static_cast<std::uint32_t>(entry));
  for (const std::int64_t entry : wide_) mix(hash, static_cast<std::uint64_t>(entry));
  return hash;
}

std::string Canonical::to_text() const {
  if (terms_.empty()) return "nothing";
  std::string text;
  for (const Term& term : terms_) {
    text += concat(text.empty() ? "" : "; ", "at ", term.offset, ": ");
    for (const Dim& dim : dims(term)) text += concat(dim.count, " by ", dim.stride, ", ");
    if (term.kind == Term::Kind::nest) {
      text += concat(term.block, " bytes");
      continue;
    }
    text += term.kind == Term::Kind::blocks ? concat(term.entries, " blocks of ", term.block, " bytes at ")
                                            : concat(term.entries, " runs ");
    const auto print = [&](auto entries) {
      const auto all = to_size(term.entries);
      append_entries(text, entries.first(all), entries.subspan(all));
    };
    if (term.narrow)
      print(narrow_entries(term));
    else
      print(wide_entries(term));
  }
  return text;
}

}  // namespace halocline::compile
