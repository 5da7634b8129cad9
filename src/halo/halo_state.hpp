// What a halo is made of.
#pragma once

#include "halocline/exchange/exchange.hpp"
#include "halocline/halo/halo.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace halocline {

/// Hangs on a communicator for as long as it lives.
struct CommAlive {};

struct Halo::State {
  std::vector<FieldView> fields;
  Decomposition decomposition;
  Cell cell;
  Stencil directions;
  MPI_Comm comm;  ///< Of the library, as long as the exchange lives.
  std::weak_ptr<const CommAlive> users_comm;
  Exchange exchange;
  bool prints = false;    ///< Its statistics, in the end.
  bool verifies = false;  ///< Itself, once it is made.

  /// Throws Error{invalid_argument} if the communicator that the user gave was freed.
  void require_comm() const;
};

}  // namespace halocline
