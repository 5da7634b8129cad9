// SPDX-License-Identifier: BSD-3-Clause
// What one process does in a schedule: which messages it really sends and receives, from and to whom.
#pragma once

#include "base/index.hpp"
#include "halocline/describe/grid.hpp"
#include "schedule/parts/schedule.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace halocline {

/// Does the block from the process at cell `origin` to the one at cell `target` (numbers of the grid) go this
/// way? It must be the same function on all processes.
using Travels = std::function<bool(Count origin, Count target)>;

/// The rounds of one process, without those in which it has nothing to do.
class LocalSchedule {
 public:
  static constexpr Count nobody = -1;

  struct Copy {
    Slot from, to;
  };

  /// One message out, one in, each possibly missing; or copies within the process. A message is the blocks of
  /// its slots one after the other, in the same order on both sides.
  struct Round {
    std::int32_t number;  ///< The round of the schedule: the same on both sides, so a tag can be made of it.
    Count to;             ///< The number of the cell to send to, or nobody.
    Count from;           ///< The number of the cell to receive from, or nobody.
    std::span<const Slot> sends;          ///< Not empty unless `to` is nobody.
    std::span<const Slot> receives;       ///< Not empty unless `from` is nobody.
    std::span<const Copy> copies;         ///< Only if both are nobody.
    std::span<const std::int32_t> after;  ///< Indices of earlier rounds here that must be complete first.
  };

  [[nodiscard]] std::size_t rounds() const { return rounds_.size(); }
  /// @pre index < rounds(). The spans live as long as the local schedule.
  [[nodiscard]] Round round(std::size_t index) const;

  /// For each scratch slot of this process the neighbour whose block size it must hold.
  [[nodiscard]] std::span<const std::int32_t> scratch() const { return scratch_; }

  /// The neighbour whose block size a slot has.
  [[nodiscard]] std::int32_t block(Slot slot) const {
    return slot.buffer == Slot::Buffer::scratch ? scratch_[to_index(slot.index)] : slot.index;
  }

  /// The part of the process at `cell` in a schedule. A block is forwarded exactly where its origin and a
  /// target exist and it travels from the one to the other (always, without `travels`). A receive slot is
  /// touched only if its own block exists and travels; where the schedule would use another one on the way,
  /// there is a scratch slot instead.
  /// Cost: linear in the moves of the schedule, times the open dimensions; for allgather up to the targets of
  /// each move. Throws Error{invalid_argument} if the grid has other dimensions or `cell` is not in it.
  LocalSchedule(const Schedule& schedule, const Grid& grid, Count cell, const Travels& travels = {});

 private:
  struct Entry {
    std::int32_t number;
    Count to, from;
    std::size_t end_sends, end_receives, end_copies, end_after;
  };
  std::vector<Entry> rounds_;
  std::vector<Slot> sends_, receives_;
  std::vector<Copy> copies_;
  std::vector<std::int32_t> after_;
  std::vector<std::int32_t> scratch_;
};

}  // namespace halocline
