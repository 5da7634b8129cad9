// Collective creation ends in one agreement: all ranks fail with the same error, or none does.
#pragma once

#include "halocline/base/error.hpp"
#include "mpi/call.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace halocline::mpi {

/// If any rank passes an error, throws the error of the lowest such rank on every rank. Collective; one
/// reduction while all is well.
void agree(MPI_Comm comm, const std::optional<Error>& mine);

/// Does `work`, which must not communicate, and returns its result once every rank has succeeded in its own.
/// Otherwise throws the same Error everywhere. Collective.
template <class Work>
auto agreed(MPI_Comm comm, const Work& work) {
  std::optional<decltype(work())> result;
  std::optional<Error> error;
  try {
    result.emplace(work());
  } catch (const Error& e) {
    error = e;
  } catch (const std::bad_alloc&) {
    error = Error(Fault::out_of_memory, "out of memory");
  }
  agree(comm, error);
  return std::move(*result);
}

}  // namespace halocline::mpi
