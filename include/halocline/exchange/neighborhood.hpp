// SPDX-License-Identifier: BSD-3-Clause
// The processes that every process of a grid exchanges blocks with, at the same offsets everywhere.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/grid.hpp"
#include "halocline/describe/stencil.hpp"

#include <mpi.h>

#include <memory>

namespace halocline {

/// An isomorphic neighbourhood: an ordered list of offsets on a Cartesian communicator. They may repeat, be
/// zero, and lead around periodic dimensions onto the same process. An immutable value, cheap to copy.
class HALOCLINE_API Neighborhood {
 public:
  /// Collective over `cart`. Throws the same Error on every rank: invalid_topology if the communicator is not
  /// Cartesian, invalid_dimensions if the offsets have another dimension, invalid_argument if ranks give
  /// different offsets.
  Neighborhood(MPI_Comm cart, const Stencil& offsets);

  // No moves: what was moved from would know no neighbours.
  Neighborhood(const Neighborhood&) = default;
  Neighborhood& operator=(const Neighborhood&) = default;
  ~Neighborhood() = default;

  [[nodiscard]] const Stencil& offsets() const;
  [[nodiscard]] const Grid& grid() const;
  [[nodiscard]] std::size_t size() const { return offsets().size(); }

 private:
  struct State;
  friend const std::shared_ptr<State>& state_of(const Neighborhood& neighborhood);

  std::shared_ptr<State> state_;
};

}  // namespace halocline
