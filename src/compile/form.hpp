// A byte sequence on its way from constructors to the canonical form.
#pragma once

#include "compile/nest.hpp"

#include <memory>
#include <vector>

namespace halocline::compile {

/// Adds `run` to the runs, joined with the last one where that is possible.
inline void add_run(std::vector<Segment>& runs, Segment run) {
  if (!runs.empty() && runs.back().offset + runs.back().bytes == run.offset)
    runs.back().bytes += run.bytes;
  else
    runs.push_back(run);
}

/// The runs of blocks of `bytes` at `offset_of(0)` to `offset_of(count - 1)`, neighbours joined. Without a
/// branch on whether they join: in a list of particles nobody can predict that.
template <class OffsetOf, class BytesOf>
[[nodiscard]] std::vector<Segment> joined_runs(std::size_t count, const OffsetOf& offset_of,
                                               const BytesOf& bytes_of) {
  if (count == 0) return {};
  std::vector<Segment> runs(count + 1);
  std::size_t last = 0;
  Count end = offset_of(0) + bytes_of(0);
  runs[0] = {offset_of(0), end};  // bytes hold the end of a run for now
  for (std::size_t i = 1; i < count; ++i) {
    const Count offset = offset_of(i);
    runs[last + 1].offset = offset;  // counts only if a run begins here
    last += offset == end ? 0 : 1;
    end = offset + bytes_of(i);
    runs[last].bytes = end;
  }
  runs.resize(last + 1);
  for (Segment& run : runs) run.bytes -= run.offset;
  return runs;
}

/// A sequence of runs: one nest as long as it is one, otherwise the plain runs as long as they are few or
/// were listed by the user, otherwise items. Invariant: sequences that could be plain runs are never items.
class Form {
 public:
  /// Loops around a block, or around a list of runs.
  struct Item {
    Nest nest;
    std::shared_ptr<const std::vector<Segment>> list;  ///< Offsets are relative to that of the nest.
  };
  enum class Kind { empty, nest, runs, items };

  Form() = default;
  explicit Form(Segment run) : kind_(Kind::nest) {
    nest_.offset = run.offset;
    nest_.block = run.bytes;
  }
  /// @pre neighbours do not join
  explicit Form(std::vector<Segment> runs);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const Nest& nest() const { return nest_; }
  [[nodiscard]] const std::vector<Segment>& runs() const { return runs_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }

  void shift(Count offset);
  /// `count` copies, `stride` bytes apart. @pre count >= 0
  void repeat(Count count, Count stride);
  /// `piece` after this, moved by `offset` bytes.
  void append(const Form& piece, Count offset);
  /// Plain runs that are a nest become one.
  void settle();

 private:
  [[nodiscard]] Count run_count() const;
  void become_runs();
  void become_items();
  void append_items(const Form& piece, Count offset);

  Kind kind_ = Kind::empty;
  Nest nest_;
  std::vector<Segment> runs_;
  std::vector<Item> items_;
};

}  // namespace halocline::compile
