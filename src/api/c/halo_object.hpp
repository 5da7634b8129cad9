// SPDX-License-Identifier: BSD-3-Clause
// What is behind the handle of a halo.
#pragma once

#include "halocline/halo/halo.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/comm_life.hpp"

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

}  // namespace halocline::api
