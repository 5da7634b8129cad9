// What is behind the handle of a halo.
#pragma once

#include "halo/halo_state.hpp"
#include "halocline/halo/halo.hpp"
#include "halocline/halocline.h"

struct HCL_Halo_object {
  halocline::Halo halo;
  MPI_Comm comm;  ///< The user's, for its error handler.
  std::weak_ptr<const halocline::CommAlive> comm_alive;
};

namespace halocline::api {

/// Whose error handler is called: that of the communicator while it lives.
[[nodiscard]] MPI_Comm comm_of(HCL_Halo halo);
/// Throws Error{mpi} with MPI_ERR_REQUEST for HCL_HALO_NULL.
[[nodiscard]] Halo& valid(HCL_Halo halo);
/// The same, and for a halo that is under way.
[[nodiscard]] Halo& at_rest(HCL_Halo halo);

}  // namespace halocline::api
