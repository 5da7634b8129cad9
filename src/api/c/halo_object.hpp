// SPDX-License-Identifier: BSD-3-Clause
// What is behind the handle of a halo.
#pragma once

#include "halocline/exchange/statistics.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/comm_life.hpp"

#include <optional>

struct HCL_Halo_object {
  halocline::Halo halo;
  halocline::mpi::CommLife comm;  ///< The user's, for its error handler.
};

namespace halocline::api {

/// Whose error handler is called: that of the communicator while it lives.
[[nodiscard]] MPI_Comm comm_of(HCL_Halo halo);
/// Throws Error{mpi} with MPI_ERR_REQUEST for HCL_HALO_NULL.
[[nodiscard]] Halo& valid(HCL_Halo halo);
/// The same, and for a halo that is under way.
[[nodiscard]] Halo& at_rest(HCL_Halo halo);

/// The directions that a caller names; by default those that the stencil reaches, all where there is none.
[[nodiscard]] Stencil directions_of(std::size_t dimensions, const std::optional<Stencil>& stencil,
                                    int ndirections, const int* directions);
[[nodiscard]] HCL_Statistics statistics_of(const ExchangeStatistics& all);

}  // namespace halocline::api
