// SPDX-License-Identifier: BSD-3-Clause
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

/// The function that the program called, where that is not the one that reports: as long as this lives,
/// errors of this thread name it. The first of several that live counts.
class CalledAs {
 public:
  /// That which has it, or another. @pre the name stays where it is
  explicit CalledAs(const char* function = __builtin_FUNCTION()) noexcept;
  CalledAs(const CalledAs&) = delete;
  CalledAs& operator=(const CalledAs&) = delete;
  ~CalledAs();

 private:
  const char* before_;
};

/// Gives `error` a code and its text, which begins with the name of the function, calls the error handler of
/// `comm` (of MPI_COMM_WORLD if null) and returns the code if that returns.
int report(MPI_Comm comm, const Error& error, const char* function) noexcept;

/// Does `work` and returns MPI_SUCCESS; reports what it throws, in the name of the function that calls this.
template <class Work>
int guarded(MPI_Comm comm, const Work& work, const char* function = __builtin_FUNCTION()) noexcept {
  try {
    work();
    return MPI_SUCCESS;
  } catch (const Error& error) {
    return report(comm, error, function);
  } catch (const std::bad_alloc&) {
    return report(comm, Error(Fault::out_of_memory, "out of memory"), function);
  } catch (const std::exception& error) {
    return report(comm, Error(Fault::internal, error.what()), function);
  }
}

/// Throws Error{invalid_argument} that names the argument if `pointer` is null.
inline void require_pointer(const void* pointer, const char* name) {
  require(pointer != nullptr, "the argument ", name, " is a null pointer");
}

}  // namespace halocline::api
