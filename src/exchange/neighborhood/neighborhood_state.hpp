// SPDX-License-Identifier: BSD-3-Clause
// What is known about a neighbourhood; some of it only once it is asked for.
#pragma once

#include "base/inside.hpp"
#include "exchange/neighborhood/context.hpp"
#include "exchange/neighborhood/peers.hpp"
#include "halocline/exchange/neighborhood.hpp"
#include "halocline/plan/option_types.hpp"
#include "schedule/parts/schedule.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace halocline {

struct HALOCLINE_INSIDE Neighborhood::State {
  State(std::shared_ptr<exchange::Context> its_context, Stencil its_offsets);

  std::shared_ptr<exchange::Context> context;
  Stencil offsets;
  exchange::Neighbours neighbours;
  exchange::Peers peers;
  std::map<std::string, ScheduleChoice> planned;  ///< The schedules of exchanges of certain sizes and prices.

  /// What this node exchanges with others.
  const exchange::Shipments& shipments();
  /// The message-combining schedule of that name.
  const Schedule& schedule(const std::string& algorithm, Operation operation);

 private:
  std::optional<exchange::Shipments> shipments_;
  std::map<std::pair<std::string, Operation>, Schedule> schedules_;
};

[[nodiscard]] inline const std::shared_ptr<Neighborhood::State>& state_of(const Neighborhood& neighborhood) {
  return neighborhood.state_;
}
/// The class keeps the name of it to itself.
using NeighborhoodState = std::remove_cvref_t<decltype(*state_of(std::declval<const Neighborhood&>()))>;

}  // namespace halocline
