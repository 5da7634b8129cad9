// The one exception type of the library, and the one way to refuse a value.
#pragma once

#include <sstream>
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
class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& message, int mpi_code = 0)
      : std::runtime_error(message), fault_(fault), mpi_code_(mpi_code) {}

  [[nodiscard]] Fault fault() const noexcept { return fault_; }

  /// The code an MPI call returned if fault() is Fault::mpi, otherwise 0.
  [[nodiscard]] int mpi_code() const noexcept { return mpi_code_; }

 private:
  Fault fault_;
  int mpi_code_;
};

/// The parts, printed one after the other.
template <class... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Throws Error{fault} with the parts as its text.
template <class... Parts>
[[noreturn]] void fail(Fault fault, const Parts&... parts) {
  throw Error(fault, concat(parts...));
}

/// Throws Error{invalid_argument} with the parts as its text unless `ok`. The text costs nothing otherwise.
template <class... Parts>
void require(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    fail(Fault::invalid_argument, parts...);
}

}  // namespace halocline
