// SPDX-License-Identifier: BSD-3-Clause
// A byte sequence on its way from constructors to the canonical form.
#pragma once

#include "base/numbers.hpp"
#include "compile/form/nest.hpp"
#include "compile/form/run_list.hpp"

#include <memory>
#include <vector>

namespace halocline::compile {

/// Adds `run` to the runs, joined with the last one where that is possible.
inline void add_run(RunList& runs, Segment run) {
  if (!runs.empty() && runs.back().offset + runs.back().bytes == run.offset)
    runs.back().bytes += run.bytes;
  else
    runs.push_back(run);
}

/// The runs of blocks of `bytes` at `offset_of(0)` to `offset_of(count - 1)`, neighbours joined. Without a
/// branch on whether they join: in a list of particles nobody can predict that.
template <class OffsetOf, class BytesOf>
[[nodiscard]] RunList joined_runs(std::size_t count, OffsetOf offset_of, BytesOf bytes_of) {
  if (count == 0) return {};
  RunList runs(count + 1);
  Segment* run = runs.data();
  Count bytes = bytes_of(0);  // of the run
  Count end = offset_of(0) + bytes;
  *run = {offset_of(0), bytes};
  for (std::size_t i = 1; i < count; ++i) {
    const Count offset = offset_of(i);
    const Count joins = offset == end ? 1 : 0;
    const Count begins = offset != end ? 1 : 0;
    run[1].offset = offset;  // counts only if a run begins here
    run += begins;
    bytes = bytes * joins + bytes_of(i);
    run->bytes = bytes;
    end = offset + bytes_of(i);
  }
  runs.resize(to_size(run - runs.data()) + 1);
  return runs;
}

/// A sequence of runs: one nest as long as it is one, otherwise the plain runs as long as they are few or
/// were listed by the user, otherwise items. Invariant: sequences that could be plain runs are never items.
class RunSequence {
 public:
  /// Loops around a block, or around a list of runs.
  struct Item {
    Nest nest;
    std::shared_ptr<const RunList> list;  ///< Offsets are relative to that of the nest.
  };
  enum class Kind { empty, nest, runs, items };

  RunSequence() = default;
  explicit RunSequence(Segment run) : kind_(Kind::nest) {
    nest_.offset = run.offset;
    nest_.block = run.bytes;
  }
  /// @pre neighbours do not join
  explicit RunSequence(RunList runs);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const Nest& nest() const { return nest_; }
  [[nodiscard]] const RunList& runs() const { return runs_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }

  void shift(Count offset);
  /// `count` copies, `stride` bytes apart. @pre count >= 0
  void repeat(Count count, Count stride);
  /// `piece` after this, moved by `offset` bytes.
  void append(const RunSequence& piece, Count offset);
  struct Placed;
  /// The pieces one after the other.
  [[nodiscard]] static RunSequence sequence(std::vector<Placed> pieces);
  /// Plain runs that are a nest become one.
  void settle();

 private:
  [[nodiscard]] Count run_count() const;
  void become_runs();
  void become_items();
  /// As above; unrolled to plain runs if there are at most `most_runs` then.
  void append(const RunSequence& piece, Count offset, Count most_runs);
  void append_items(const RunSequence& piece, Count offset);

  Kind kind_ = Kind::empty;
  Nest nest_;
  RunList runs_;
  std::vector<Item> items_;
};

struct RunSequence::Placed {
  RunSequence form;
  Count offset;  ///< By which it is moved.
};

}  // namespace halocline::compile
