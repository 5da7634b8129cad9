// Collective creation ends in one agreement: all ranks fail with the same error, or none does.
#pragma once

#include "halocline/base/error.hpp"
#include "mpi/call.hpp"

#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace halocline::mpi {

/// If any rank passes an error, throws the error of the lowest such rank on every rank. Otherwise, if the
/// ranks pass different fingerprints, throws Error{invalid_argument} that `what` differs between them on
/// every rank. Collective; one reduction while all is well.
void agree(MPI_Comm comm, const std::optional<Error>& mine, std::uint64_t fingerprint = 0,
           const char* what = "");

/// Are all ranks fine, with the same fingerprint? The same answer for all. Collective; one reduction.
[[nodiscard]] bool all_agree(MPI_Comm comm, bool fine, std::uint64_t fingerprint);

/// What `work` returns; nothing, and its error, if it throws.
template <class Work>
auto attempted(const Work& work, std::optional<Error>& error) {
  std::optional<decltype(work())> result;
  try {
    result.emplace(work());
  } catch (const Error& e) {
    error = e;
  } catch (const std::bad_alloc&) {
    error = Error(Fault::out_of_memory, "out of memory");
  }
  return result;
}

/// Does `work`, which must not communicate, and returns its result once every rank has succeeded in its own.
/// Otherwise throws the same Error everywhere. Collective. With `fingerprint_of`, results must agree, too.
template <class Work, class Fingerprint>
auto agreed(MPI_Comm comm, const Work& work, const Fingerprint& fingerprint_of, const char* what) {
  std::optional<Error> error;
  auto result = attempted(work, error);
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
