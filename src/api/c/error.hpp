// The one place where exceptions become MPI error codes.
#pragma once

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <mpi.h>

#include <functional>
#include <new>

namespace halocline::api {

/// The MPI error class of a fault.
[[nodiscard]] int error_class(const Error& error) noexcept;

/// Gives `error` a code and its text, calls the error handler of `comm` (of MPI_COMM_WORLD if null) and
/// returns the code if that returns.
int report(MPI_Comm comm, const Error& error) noexcept;

/// Does `work` and returns MPI_SUCCESS; reports what it throws.
template <class Work>
int guarded(MPI_Comm comm, const Work& work) noexcept {
  try {
    work();
    return MPI_SUCCESS;
  } catch (const Error& error) {
    return report(comm, error);
  } catch (const std::bad_alloc&) {
    return report(comm, Error(Fault::out_of_memory, "out of memory"));
  } catch (const std::exception& error) {
    return report(comm, Error(Fault::internal, error.what()));
  }
}

/// Throws Error{invalid_argument} that names the argument if `pointer` is null.
inline void require_pointer(const void* pointer, const char* name) {
  require(pointer != nullptr, "the argument ", name, " is a null pointer");
}

}  // namespace halocline::api
