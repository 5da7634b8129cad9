// SPDX-License-Identifier: BSD-3-Clause
// Creation of halos: the exchanges of all memories that their slots may have.
#pragma once

#include "halo/halo_state.hpp"

namespace halocline::halo {

/// On the mesh that is known, or that the fields make up; in these directions, whatever the options say of
/// them. Collective; throws as the constructors of Halo.
[[nodiscard]] std::unique_ptr<HaloState> create(MPI_Comm comm, const Decomposition* known,
                                                const Stencil& directions, const HaloSlots& fields,
                                                const HaloOptions& options);

/// What the options say, or keys of `exchange.info`. Throw Error{invalid_argument} for words that mean
/// nothing.
[[nodiscard]] Borders wanted_borders(const HaloOptions& options);
[[nodiscard]] Addresses wanted_addresses(const HaloOptions& options);

}  // namespace halocline::halo
