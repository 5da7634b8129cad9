// Collective creation ends in one agreement: all ranks fail with the same error, or none does.
#pragma once

#include "halocline/base/error.hpp"
#include "mpi/call.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace halocline::mpi {

/// If any rank passes an error, throws the error of the lowest such rank on every rank. Otherwise, if the
/// ranks pass different fingerprints, throws Error{invalid_argument} that `what` differs between them on
/// every rank. Collective; one reduction while all is well.
void agree(MPI_Comm comm, const std::optional<Error>& mine, std::uint64_t fingerprint = 0,
           const char* what = "");

/// Does `work`, which must not communicate, and returns its result once every rank has succeeded in its own.
/// Otherwise throws the same Error everywhere. Collective. With `fingerprint_of`, results must agree, too.
template <class Work, class Fingerprint>
auto agreed(MPI_Comm comm, const Work& work, const Fingerprint& fingerprint_of, const char* what) {
  std::optional<decltype(work())> result;
  std::optional<Error> error;
  try {
    result.emplace(work());
  } catch (const Error& e) {
    error = e;
  } catch (const std::bad_alloc&) {
    error = Error(Fault::out_of_memory, "out of memory");
  }
  agree(comm, error, result ? fingerprint_of(*result) : 0, what);
  return std::move(*result);
}

template <class Work>
auto agreed(MPI_Comm comm, const Work& work) {
  return agreed(
      comm, work, [](const auto&) { return std::uint64_t{0}; }, "");
}

/// A number that differs, in all likelihood, when the text does.
[[nodiscard]] std::uint64_t fingerprint(const std::string& text);

}  // namespace halocline::mpi
