// SPDX-License-Identifier: BSD-3-Clause
// A schedule of a neighbourhood collective as data: rounds of messages, each carrying blocks from slot to
// slot. The same for all processes, since all have the same neighbourhood; Traeff et al. call that
// isomorphic.
#pragma once

#include "base/numbers.hpp"
#include "halocline/describe/lattice.hpp"
#include "halocline/describe/stencil.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace halocline {

/// The place of one block at a process.
struct Slot {
  enum class Buffer : std::uint8_t { send, receive, scratch };

  Buffer buffer;
  /// Of the neighbour for send and receive, of the scratch slot for scratch; allgather sends only from 0.
  std::int32_t index;

  bool operator==(const Slot&) const = default;
};

/// One block goes from a slot of the sender to a slot of the receiver.
struct Move {
  Slot from, to;
  /// The neighbours it is on its way to, as a range of Schedule::served(): one for alltoall.
  std::int32_t first_served, end_served;

  bool operator==(const Move&) const = default;
};

/// The parts a schedule is made of, in flat arrays: `dimensions` coordinates for each neighbour, round, move.
struct ScheduleParts {
  Operation operation{};
  std::size_t dimensions = 0;
  Counts offsets;                         ///< Of the neighbours.
  std::vector<std::int32_t> served;       ///< Neighbours, so ordered that each move serves a range.
  std::vector<std::int32_t> scratch;      ///< For each scratch slot, the neighbour whose block it must hold.
  Counts peers;                           ///< Of the rounds.
  std::vector<std::int32_t> first_moves;  ///< For each round its first move, and the number of moves.
  std::vector<Move> moves;
  Counts travelled;  ///< For each move, from the origin of the block to the sender of the move.
};

/// Rounds of moves. In a round each process sends one message to +peer and receives one from -peer; it may
/// begin once the rounds in `after` are complete here, that is both sent and received. Nothing else orders
/// them: rounds that do not wait for each other are under way at the same time. Within a round, and between
/// rounds that do not wait for each other, no slot is written that is also read or written by another move;
/// so messages may be packed, or sent from and received into the slots themselves. The send buffer is never
/// written.
class Schedule {
 public:
  struct Round {
    std::span<const Count> peer;  ///< All zero: no message, the moves are local copies.
    std::span<const Move> moves;
    std::span<const Count> travelled;     ///< dimensions() coordinates for each move.
    std::span<const std::int32_t> after;  ///< Earlier rounds, ascending.

    /// Does it stay on the process?
    [[nodiscard]] bool local() const;
  };

  /// Finds what each round has to wait for. Cost: linear in the parts.
  explicit Schedule(ScheduleParts parts);

  [[nodiscard]] Operation operation() const { return parts_.operation; }
  [[nodiscard]] std::size_t dimensions() const { return parts_.dimensions; }
  [[nodiscard]] std::size_t neighbours() const { return parts_.offsets.size() / parts_.dimensions; }
  [[nodiscard]] std::span<const Count> offset(std::size_t neighbour) const {
    return std::span(parts_.offsets).subspan(neighbour * dimensions(), dimensions());
  }

  [[nodiscard]] std::size_t rounds() const { return parts_.first_moves.size() - 1; }
  /// @pre index < rounds(). The spans live as long as the schedule.
  [[nodiscard]] Round round(std::size_t index) const;

  /// The neighbours a move is on its way to.
  [[nodiscard]] std::span<const std::int32_t> served(const Move& move) const {
    return std::span(parts_.served)
        .subspan(to_size(move.first_served), to_size(move.end_served - move.first_served));
  }

  /// For each scratch slot the neighbour whose block size it must hold.
  [[nodiscard]] std::span<const std::int32_t> scratch() const { return parts_.scratch; }

  [[nodiscard]] const ScheduleParts& parts() const& { return parts_; }
  [[nodiscard]] ScheduleParts parts() && { return std::move(parts_); }

 private:
  ScheduleParts parts_;
  std::vector<std::int32_t> after_;
  std::vector<std::int32_t> first_after_;
};

}  // namespace halocline
