// SPDX-License-Identifier: BSD-3-Clause
// The bytes from each rank to each other one: what a trace leaves when only who talks to whom counts.
#pragma once

#include "halocline/describe/grid.hpp"
#include "trace/trace.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace halocline::plan {

/// Sparse, in rows. An immutable value.
class MessageMatrix {
 public:
  struct Entry {
    Rank source;
    Rank target;
    Count bytes;
    Count messages = 1;
  };

  /// Adds up what is about the same pair. What ranks send themselves, and pairs without bytes, are left out.
  /// Throws Error{invalid_argument} for a rank that is not below `ranks`, fewer than 1 of them or more than
  /// 2^31 - 1, negative bytes or messages, and a sum that leaves 64 bits.
  MessageMatrix(Count ranks, std::vector<Entry> entries);

  /// All ways together, without what goes to or comes from other worlds. Throws as the constructor.
  [[nodiscard]] static MessageMatrix of(const trace::Trace& trace);

  /// One message on each pair, of their mean size, rounded up: what a program sends in a step, if all its
  /// steps are alike.
  [[nodiscard]] MessageMatrix one_of_each() const;

  [[nodiscard]] Count ranks() const { return static_cast<Count>(starts_.size()) - 1; }
  [[nodiscard]] Count pairs() const { return static_cast<Count>(targets_.size()); }
  [[nodiscard]] Count bytes() const { return sum_; }  ///< Of all pairs.

  /// To whom a rank sends, in ascending order, how much to each, and in how many messages.
  [[nodiscard]] std::span<const std::uint32_t> targets_of(std::size_t rank) const {
    return std::span(targets_).subspan(starts_[rank], starts_[rank + 1] - starts_[rank]);
  }
  [[nodiscard]] std::span<const Count> bytes_of(std::size_t rank) const {
    return std::span(bytes_).subspan(starts_[rank], starts_[rank + 1] - starts_[rank]);
  }

  [[nodiscard]] std::span<const Count> messages_of(std::size_t rank) const {
    return std::span(messages_).subspan(starts_[rank], starts_[rank + 1] - starts_[rank]);
  }

  /// visit(source, target, bytes) for each pair, row by row.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t source = 0; source + 1 < starts_.size(); ++source)
      for (std::size_t i = starts_[source]; i < starts_[source + 1]; ++i)
        visit(source, std::size_t{targets_[i]}, bytes_[i]);
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> targets_;
  Counts bytes_;
  Counts messages_;
  Count sum_ = 0;
};

}  // namespace halocline::plan
