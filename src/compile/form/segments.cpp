// SPDX-License-Identifier: BSD-3-Clause
#include "compile/form/segments.hpp"

#include "base/numbers.hpp"

namespace halocline::compile {
namespace {

using Term = Canonical::Term;

class Collector {
 public:
  explicit Collector(const Canonical& form) : form_(form) {}

  void add(const Term& term) { loop(term, form_.dims(term), term.offset); }
  [[nodiscard]] std::vector<Segment> take() { return std::move(segments_); }

 private:
  void loop(const Term& term, std::span<const Canonical::Dim> dims, Count offset) {
    if (dims.empty()) return innermost(term, offset);
    for (Count i = 0; i < dims.front().count; ++i)
      loop(term, dims.subspan(1), offset + i * dims.front().stride);
  }
  void innermost(const Term& term, Count offset) {
    if (term.kind == Term::Kind::nest) return append({offset, term.block});
    if (term.narrow)
      list(term, form_.narrow_entries(term), offset);
    else
      list(term, form_.wide_entries(term), offset);
  }
  template <class Entries>
  void list(const Term& term, const Entries& entries, Count offset) {
    const auto count = to_size(term.entries);
    const bool lengths = term.kind == Term::Kind::runs;
    for (std::size_t i = 0; i < count; ++i)
      append({offset + Count{entries[i]}, lengths ? Count{entries[count + i]} : term.block});
  }
  void append(const Segment& run) {
    if (!segments_.empty() && segments_.back().offset + segments_.back().bytes == run.offset)
      segments_.back().bytes += run.bytes;
    else
      segments_.push_back(run);
  }

  const Canonical& form_;
  std::vector<Segment> segments_;
};

}  // namespace

std::vector<Segment> segments(const Canonical& form) {
  Collector collector(form);
  for (const Term& term : form.terms()) collector.add(term);
  return collector.take();
}

}  // namespace halocline::compile
