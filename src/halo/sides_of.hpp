// SPDX-License-Identifier: BSD-3-Clause
// What is beyond the sides of a halo's mesh: what was asked for, whether it can be had, and what fills it.
#pragma once

#include "halo/halo_state.hpp"

#include <memory>
#include <string>
#include <vector>

namespace halocline::halo {

/// What the options say. Throws Error{invalid_argument} for a text that means nothing.
[[nodiscard]] Sides wanted_sides(const HaloOptions& options);

/// None if there are no sides. Throws Error{unsupported} for what does not go together with them,
/// invalid_dimensions if they do not fit the mesh or a halo is too wide for them, invalid_type if a field has
/// not the numbers that are to change their sign.
[[nodiscard]] std::unique_ptr<SideMap> side_map_of(const Sides& sides, const Decomposition& decomposition,
                                                   const Stencil& directions,
                                                   const std::vector<HaloSlot>& slots, Borders borders,
                                                   Addresses addresses, bool on_device);

/// The memories of a turn.
[[nodiscard]] std::vector<SideField> side_fields(const std::vector<FieldView>& memories,
                                                 const std::vector<HaloState::Slot>& slots, const Turn& turn);

/// Gives each turn what fills the points beyond the sides. Collective.
void fill_beyond(HaloState& state, const ExchangeOptions& options);

/// What a plan of the halo leaves out; empty if nothing. Local.
[[nodiscard]] std::string beyond_plan(const HaloState& state);

}  // namespace halocline::halo
