// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/process/local.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "schedule/parts/dependencies.hpp"

#include <algorithm>
#include <optional>

namespace halocline {
namespace {

/// Which blocks are under way at all: those whose origin and a target exist and that travel between them.
class BlocksUnderWay {
 public:
  BlocksUnderWay(const Schedule& schedule, const Grid& grid, const Travels& travels)
      : schedule_(schedule),
        grid_(grid),
        travels_(travels),
        origin_(grid.dimensions()),
        target_(grid.dimensions()) {
    for (std::size_t d = 0; d < grid.dimensions(); ++d)
      if (!grid.periodic(d)) open_.push_back(d);
  }

  /// Is every block under way everywhere?
  [[nodiscard]] bool everywhere() const { return open_.empty() && !travels_; }

  /// Is the block of this move under way when `sender` sends it, having travelled that far?
  [[nodiscard]] bool carries(std::span<const Count> sender, const Move& move, const Count* travelled) {
    return everywhere() || (find_origin(sender, travelled) && any_target(move));
  }

  /// Does the block of this neighbour arrive at `cell`?
  [[nodiscard]] bool arrives(std::span<const Count> cell, std::size_t neighbour) {
    return everywhere() || (find_origin(cell, schedule_.offset(neighbour).data()) && reaches(neighbour));
  }

 private:
  bool find_origin(std::span<const Count> sender, const Count* travelled) {
    // Sums of coordinates and offsets may leave 64 bits: compare first.
    for (const std::size_t d : open_) {
      if (travelled[d] > sender[d] || travelled[d] <= sender[d] - grid_.extents()[d]) return false;
      origin_[d] = sender[d] - travelled[d];
    }
    if (!travels_) return true;
    for (std::size_t d = 0; d < origin_.size(); ++d) {
      const Count extent = grid_.extents()[d];
      if (grid_.periodic(d))
        origin_[d] = floor_modulo(sender[d] - floor_modulo(travelled[d], extent), extent);
    }
    return true;
  }

  bool any_target(const Move& move) {
    const auto served = schedule_.served(move);
    return std::any_of(served.begin(), served.end(), [&](std::int32_t n) { return reaches(to_index(n)); });
  }

  bool reaches(std::size_t neighbour) {
    const std::span<const Count> offset = schedule_.offset(neighbour);
    for (const std::size_t d : open_) {
      if (offset[d] < -origin_[d] || offset[d] >= grid_.extents()[d] - origin_[d]) return false;
      target_[d] = origin_[d] + offset[d];
    }
    if (!travels_) return true;
    for (std::size_t d = 0; d < origin_.size(); ++d) {
      const Count extent = grid_.extents()[d];
      if (grid_.periodic(d)) target_[d] = (origin_[d] + floor_modulo(offset[d], extent)) % extent;
    }
    return travels_(grid_.index(origin_), grid_.index(target_));
  }

  const Schedule& schedule_;
  const Grid& grid_;
  const Travels& travels_;
  std::vector<std::size_t> open_;
  Cell origin_, target_;  ///< Of the block looked at; of the open dimensions only, without travels_.
};

/// The slots of this process: only what it uses, and scratch instead of receive slots it must not touch.
class LocalSlots {
 public:
  LocalSlots(const Schedule& schedule, std::span<const Count> cell, BlocksUnderWay& under_way,
             std::vector<std::int32_t>& scratch)
      : schedule_(schedule), scratch_(scratch), number_(schedule.scratch().size(), none) {
    if (under_way.everywhere()) return;
    substitute_.assign(schedule.neighbours(), none);
    for (std::size_t n = 0; n < substitute_.size(); ++n)
      if (under_way.arrives(cell, n)) substitute_[n] = receives;
  }

  [[nodiscard]] Slot local(Slot slot) {
    const std::size_t index = to_index(slot.index);
    if (slot.buffer == Slot::Buffer::scratch)
      return {slot.buffer, numbered(number_[index], schedule_.scratch()[index])};
    if (slot.buffer == Slot::Buffer::send || substitute_.empty() || substitute_[index] == receives)
      return slot;
    return {Slot::Buffer::scratch, numbered(substitute_[index], slot.index)};
  }

 private:
  static constexpr std::int32_t none = -1;
  static constexpr std::int32_t receives = -2;

  std::int32_t numbered(std::int32_t& number, std::int32_t block) {
    if (number == none) {
      number = to_int(scratch_.size());
      scratch_.push_back(block);
    }
    return number;
  }

  const Schedule& schedule_;
  std::vector<std::int32_t>& scratch_;
  std::vector<std::int32_t> number_;  ///< Of each scratch slot of the schedule here.
  std::vector<std::int32_t>
      substitute_;  ///< For each receive slot its scratch slot here; empty: none needs one.
};

/// The cell at `sign` times the peer; none beyond an open border.
std::optional<Cell> neighbour_at(const Grid& grid, std::span<const Count> cell, std::span<const Count> peer,
                                 Count sign) {
  Offset offset(peer.begin(), peer.end());
  for (Count& step : offset) step *= sign;
  return grid.neighbor(cell, offset);
}

}  // namespace

LocalSchedule::LocalSchedule(const Schedule& schedule, const Grid& grid, Count cell, const Travels& travels) {
  require(schedule.dimensions() == grid.dimensions(), "a schedule of ", schedule.dimensions(),
          " dimensions on the grid ", grid.to_text(), " of ", grid.dimensions());
  require(0 <= cell && cell < grid.size(), "no cell ", cell, " in the grid ", grid.to_text(),
          "; it has 0 to ", grid.size() - 1);
  const Cell here = grid.cell(cell);
  const std::size_t dimensions = grid.dimensions();
  BlocksUnderWay under_way(schedule, grid, travels);
  LocalSlots slots(schedule, here, under_way, scratch_);
  schedule::Dependencies dependencies(schedule.neighbours(),
                                      schedule.scratch().size() + schedule.neighbours());
  rounds_.reserve(schedule.rounds());
  sends_.reserve(schedule.parts().moves.size());
  receives_.reserve(schedule.parts().moves.size());

  for (std::size_t r = 0; r < schedule.rounds(); ++r) {
    const Schedule::Round round = schedule.round(r);
    const std::optional<Cell> to = neighbour_at(grid, here, round.peer, 1);
    const std::optional<Cell> from = neighbour_at(grid, here, round.peer, -1);
    const std::size_t first_send = sends_.size(), first_receive = receives_.size(),
                      first_copy = copies_.size();
    const bool local = to && *to == here;
    const Count* travelled = round.travelled.data();
    for (const Move& move : round.moves) {
      if (local) {
        if (under_way.carries(here, move, travelled))
          copies_.push_back({slots.local(move.from), slots.local(move.to)});
      } else {
        if (to && under_way.carries(here, move, travelled)) sends_.push_back(slots.local(move.from));
        if (from && under_way.carries(*from, move, travelled)) receives_.push_back(slots.local(move.to));
      }
      travelled += dimensions;
    }
    const bool sending = sends_.size() > first_send, receiving = receives_.size() > first_receive;
    if (!sending && !receiving && copies_.size() == first_copy) continue;

    for (std::size_t i = first_send; i < sends_.size(); ++i) dependencies.read(sends_[i]);
    for (std::size_t i = first_copy; i < copies_.size(); ++i) dependencies.read(copies_[i].from);
    for (std::size_t i = first_receive; i < receives_.size(); ++i) dependencies.write(receives_[i]);
    for (std::size_t i = first_copy; i < copies_.size(); ++i) dependencies.write(copies_[i].to);
    dependencies.end_round(after_);
    rounds_.push_back({to_int(r), sending ? grid.index(*to) : nobody, receiving ? grid.index(*from) : nobody,
                       sends_.size(), receives_.size(), copies_.size(), after_.size()});
  }
}

LocalSchedule::Round LocalSchedule::round(std::size_t index) const {
  const Entry before = index == 0 ? Entry{} : rounds_[index - 1];
  const Entry& here = rounds_[index];
  return {here.number,
          here.to,
          here.from,
          std::span(sends_).subspan(before.end_sends, here.end_sends - before.end_sends),
          std::span(receives_).subspan(before.end_receives, here.end_receives - before.end_receives),
          std::span(copies_).subspan(before.end_copies, here.end_copies - before.end_copies),
          std::span(after_).subspan(before.end_after, here.end_after - before.end_after)};
}

}  // namespace halocline
