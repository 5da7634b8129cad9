// SPDX-License-Identifier: BSD-3-Clause
// The blocks that a halo is exchanged by: for each neighbour one, with the parts of all fields.
#pragma once

#include "exchange/planning/create.hpp"
#include "halo/devices/device_route.hpp"
#include "halo/points/ground.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace halocline::halo {

using Route = std::optional<DeviceRoute>;  ///< None if no process has a field on a device.

/// The order in which points travel: that of the first process, so that it is the same everywhere even where
/// the arrays are not. Collective.
[[nodiscard]] Orders agreed_orders(MPI_Comm comm, const std::vector<FieldView>& fields);

/// For each offset what this process sends and where it receives. Where the fields are seen, those of other
/// processes of the node, too. What it is given must outlive it.
[[nodiscard]] exchange::Ends ends_of(const std::vector<FieldView>& fields, const Orders& orders,
                                     const Stencil& offsets, const Ground& ground, bool seen,
                                     const Route& route);

/// Each offset the other way round.
[[nodiscard]] Stencil against(const Stencil& offsets);
/// The other way round: what lies in the halo of each process goes back to where it came from. Block i goes
/// against offset i, and what arrives there is put side by side at `arrived[i]`, field after field.
/// @pre no process has a field on a device
[[nodiscard]] exchange::Ends ends_back_of(const std::vector<FieldView>& fields, const Orders& orders,
                                          const Stencil& offsets, const Ground& ground, bool seen,
                                          const std::vector<std::byte*>& arrived);

}  // namespace halocline::halo
