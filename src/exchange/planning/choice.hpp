// SPDX-License-Identifier: BSD-3-Clause
// How an exchange is to be run, by what the user says and what it should cost.
#pragma once

#include "exchange/flows/wire.hpp"
#include "exchange/neighborhood/blocks.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "halocline/exchange/exchange.hpp"
#include "mpi/datatypes/engine_choice.hpp"
#include "mpi/settings/environment.hpp"
#include "schedule/by_node.hpp"

#include <limits>
#include <optional>
#include <string>

namespace halocline::exchange {

/// The same on all processes but for the last two, which make no difference to others.
struct Choice {
  ScheduleChoice schedule = ScheduleChoice::direct;  ///< Once it is decided, not `automatic`.
  ScheduleChoice asked = ScheduleChoice::automatic;  ///< The schedule that was asked for.
  /// With `mixed`, what two processes have for each other goes in a message of its own if it is longer.
  Count longest_by_node = std::numeric_limits<Count>::max();
  Wire wire = Wire::automatic;
  bool shared = true;    ///< Through memory on a node.
  bool one_copy = true;  ///< There, long messages from place to place and not through buffers.
  bool timed = false;
  std::optional<LevelCosts> costs = {};  ///< Once it is decided, there are some.
  mpi::EngineChoice engine = {};
  std::optional<plan::DeviceChoice> on_devices = {};  ///< None if this process has nothing on one.
  bool has_thread = false;                            ///< Does one of the library move it?

  [[nodiscard]] std::string to_text() const;
};

/// What the options say, read from their three sources; the schedule may be `automatic`.
/// Throws Error{invalid_argument} for words that mean nothing. Local.
[[nodiscard]] Choice wanted(const ExchangeOptions& options, const mpi::Environment& environment = {});

/// As wanted(), of the statistics alone.
[[nodiscard]] StatisticsChoice wanted_statistics(const ExchangeOptions& options,
                                                 const mpi::Environment& environment = {});

/// As wanted(), of the threads that copy, alone: each process for itself.
[[nodiscard]] int wanted_threads(const ExchangeOptions& options);

/// Has the plan choose the schedule where that is left open, and takes what can be had: without shared memory
/// nobody can speak for a node, and blocks of different sizes are not sent on by others.
[[nodiscard]] Choice decided(Choice wanted, NeighborhoodState& neighborhood, const Blocks& blocks);

}  // namespace halocline::exchange
