// SPDX-License-Identifier: BSD-3-Clause
// Runs a schedule for all processes of a grid within one, in an order that chance and the schedule decide.
#pragma once

#include "halocline/describe/grid.hpp"
#include "schedule/parts/schedule.hpp"
#include "schedule/process/local.hpp"

#include <cstdint>
#include <string>

namespace halocline::schedule {

enum class SimulatedWire : std::uint8_t {
  packed,     ///< A send reads its slots when its round begins, and is over then.
  zero_copy,  ///< A send reads its slots while it is under way, and is over when they have been received.
};

struct Simulation {
  std::string fault;   ///< The first thing that went wrong; empty if every block is where it belongs.
  Count messages = 0;  ///< Sent by all processes together.
  Count blocks = 0;    ///< In those messages.
};

/// Each process begins a round at any time that its LocalSchedule allows; from then on the slots it receives
/// into hold nothing until their blocks arrive, one by one, at any later time. It is a fault
/// - if a slot is read that holds nothing or another block's size, or if a send buffer is written;
/// - if messages do not match, or if all processes wait;
/// - if at the end a receive slot does not hold its block, although that exists and travels; if it got it
/// more
///   than once (not checked where offsets go all around a periodic dimension and blocks pass their targets);
///   or if it was touched, although no block was for it.
/// Cost: linear in processes times moves, and as much memory.
[[nodiscard]] Simulation simulate(const Schedule& schedule, const Grid& grid, SimulatedWire wire,
                                  std::uint64_t seed, const Travels& travels = {});

}  // namespace halocline::schedule
