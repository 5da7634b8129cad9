// SPDX-License-Identifier: BSD-3-Clause
// What a round has to wait for: the earlier rounds that read or write the slots it touches.
#pragma once

#include "base/index.hpp"
#include "schedule/parts/schedule.hpp"

#include <cstdint>
#include <vector>

namespace halocline::schedule {

/// Fed with the slots of one round after the other. A read waits for the last write of its slot; a write
/// waits for the reads since the last write, or else for that write. Nothing is ever written into the send
/// buffer.
class Dependencies {
 public:
  Dependencies(std::size_t neighbours, std::size_t scratch_slots)
      : neighbours_(neighbours), slots_(neighbours + scratch_slots) {}

  void read(Slot slot);
  void write(Slot slot);
  /// Appends the rounds that the one just fed waits for, ascending.
  void end_round(std::vector<std::int32_t>& after);

 private:
  static constexpr std::int32_t none = -1;

  struct Uses {
    std::int32_t writer = none;
    std::int32_t last_reading = none;  ///< The newest of the reads since the last write, in readings_.
  };
  struct Reading {
    std::int32_t round;
    std::int32_t earlier;
  };

  Uses& uses(Slot slot) {
    const auto index = to_index(slot.index);
    return slots_[slot.buffer == Slot::Buffer::scratch ? neighbours_ + index : index];
  }
  void wait_for(std::int32_t round);

  std::size_t neighbours_;
  std::vector<Uses> slots_;
  std::vector<Reading> readings_;
  std::vector<std::int32_t> waiting_;  ///< For each round the last one that waits for it.
  std::vector<std::int32_t> pending_;
  std::int32_t round_ = 0;
};

}  // namespace halocline::schedule
