// SPDX-License-Identifier: BSD-3-Clause
// Who sits where on a communicator that the library placed, kept on it for those who ask for its plan.
#pragma once

#include "halocline/plan/plan.hpp"
#include "mpi/handles/attribute_cache.hpp"

#include <optional>

namespace halocline::mpi {

struct CommSeating {
  Machine machine;
  plan::Seating seating;
  std::optional<Allocation> allocation;  ///< Where its nodes are, if the network is described.
  Counts fixed;                          ///< Extents that were given; 0 is free.
};

using CommSeatings = CommCache<CommSeating>;

}  // namespace halocline::mpi
