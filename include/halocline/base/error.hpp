// SPDX-License-Identifier: BSD-3-Clause
// The one exception type of the library.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"

#include <stdexcept>
#include <string>

namespace halocline {

/// What went wrong, in the few classes a caller can act on; the C interface maps each to an MPI class.
enum class Fault {
  invalid_argument,    ///< a value that makes no sense, alone or beside another
  invalid_dimensions,  ///< extents that do not fit the number of processes
  invalid_topology,    ///< a communicator or machine without the structure asked for
  invalid_type,        ///< a datatype that cannot be used
  unsupported,         ///< sensible, but not here
  out_of_memory,
  mpi,       ///< a call of MPI failed; mpi_code() is its code
  internal,  ///< a broken promise of this library
};

/// The only exception that leaves the library. Its text names the offending values and what would be right.
class HALOCLINE_API Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& message, int mpi_code = 0);
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  ~Error() override;

  [[nodiscard]] Fault fault() const noexcept { return fault_; }

  /// The code an MPI call returned if fault() is Fault::mpi, otherwise 0.
  [[nodiscard]] int mpi_code() const noexcept { return mpi_code_; }

 private:
  Fault fault_;
  int mpi_code_;
};

}  // namespace halocline
