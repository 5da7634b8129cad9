// What a halo is made of.
#pragma once

#include "halocline/exchange/exchange.hpp"
#include "halocline/halo/halo.hpp"
#include "mpi/handles/comm_life.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace halocline {

struct Halo::State {
  std::vector<FieldView> fields;
  Decomposition decomposition;
  Cell cell;
  Stencil directions;
  MPI_Comm comm;  ///< Of the library, as long as the exchange lives.
  mpi::CommLife users_comm;
  Exchange exchange;
  bool prints = false;    ///< Its statistics, in the end.
  bool verifies = false;  ///< Itself, once it is made.

  /// Throws Error{invalid_argument} if the communicator that the user gave was freed.
  void require_comm() const;
};

}  // namespace halocline
