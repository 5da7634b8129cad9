// SPDX-License-Identifier: BSD-3-Clause
// Collective creation ends in one agreement: all ranks fail with the same error, or none does.
#pragma once

#include "halocline/base/error.hpp"
#include "mpi/handles/call.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace halocline::mpi {

/// What a process says yes to, beside an agreement; of all, what all say yes to.
using Votes = std::array<bool, 2>;

/// If any rank passes an error, throws the error of the lowest such rank on every rank. Otherwise, if the
/// ranks pass different fingerprints, throws Error{invalid_argument} that `what` differs between them on
/// every rank. `votes` become those of all. Collective; one reduction while all is well.
void agree(MPI_Comm comm, const std::optional<Error>& mine, std::uint64_t fingerprint = 0,
           const char* what = "", Votes* votes = nullptr);

/// Are all ranks fine, with the same fingerprint? The same answer for all, and their votes. Collective; one
/// reduction.
[[nodiscard]] bool all_agree(MPI_Comm comm, bool fine, std::uint64_t fingerprint, Votes* votes = nullptr);

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

/// For a result about which there is nothing to vote.
struct NoVotes {
  template <class Result>
  Votes operator()(const Result& /*result*/) const {
    return {};
  }
};

/// Does `work`, which must not communicate, and returns its result once every rank has succeeded in its own.
/// Otherwise throws the same Error everywhere. Collective. With `fingerprint_of`, results must agree, too;
/// what all vote for by `votes_of` their results is in `of_all`.
template <class Work, class Fingerprint, class VotesOf = NoVotes>
auto agreed(MPI_Comm comm, const Work& work, const Fingerprint& fingerprint_of, const char* what,
            const VotesOf& votes_of = {}, Votes* of_all = nullptr) {
  std::optional<Error> error;
  auto result = attempted(work, error);
  Votes votes = result ? votes_of(*result) : Votes{};
  agree(comm, error, result ? fingerprint_of(*result) : 0, what, &votes);
  if (of_all != nullptr) *of_all = votes;
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
