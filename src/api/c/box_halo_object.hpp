// SPDX-License-Identifier: BSD-3-Clause
// What is behind the handles of boxes and of their halos.
#pragma once

#include "halocline/halo/box_halo.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/comm_life.hpp"

struct HCL_Boxes_object {
  halocline::Boxes boxes;
};

struct HCL_Box_halo_object {
  halocline::BoxHalo halo;
  halocline::mpi::CommLife comm;  ///< The user's, for its error handler.
  bool summed = false;            ///< Was it accumulated before? Until then that is collective.
};

namespace halocline::api {

/// Throws Error{invalid_argument} for HCL_BOXES_NULL.
[[nodiscard]] const Boxes& boxes_of(HCL_Boxes boxes);

}  // namespace halocline::api
