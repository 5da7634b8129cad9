// SPDX-License-Identifier: BSD-3-Clause
// Environment variables where processes must do the same. A launcher may hand them to some processes only
// (Open MPI hands none to other hosts unless it is told to), so those of one process count.
#pragma once

#include "mpi/handles/agree.hpp"

#include <map>
#include <string>

namespace halocline::mpi {

/// The variables that decide what processes say to each other: of this process, or of the first one.
class Environment {
 public:
  /// This process's own, read whenever it is asked.
  Environment() = default;
  /// That of the process of `comm` with the lowest rank in MPI_COMM_WORLD: reordering leaves it where the
  /// user's launcher put it. Collective.
  [[nodiscard]] static Environment of_first(MPI_Comm comm);

  /// Empty if it is not set. Throws Error{internal} for a variable that of_first() does not tell. Of
  /// HALOCLINE_PLAN_USE it is the contents of the file, which the first process alone reads: a process's own
  /// throws, so that all ask the first.
  [[nodiscard]] std::string value(const char* variable) const;

 private:
  std::map<std::string, std::string> first_;  ///< Empty: this process's own.
};

/// As agreed(), for work(environment). Every process tries its own environment. If that does not lead them to
/// the same, all try again with that of the first, and the error of that is the error of all. No more than
/// agreed() costs as long as they agree.
template <class Work, class Fingerprint, class VotesOf = NoVotes>
auto agreed_by_first(MPI_Comm comm, const Work& work, const Fingerprint& fingerprint_of, const char* what,
                     const VotesOf& votes_of = {}, Votes* of_all = nullptr) {
  std::optional<Error> error;
  auto result = attempted([&] { return work(Environment()); }, error);
  Votes votes = result ? votes_of(*result) : Votes{};
  if (all_agree(comm, !error, result ? fingerprint_of(*result) : 0, &votes)) {
    if (of_all != nullptr) *of_all = votes;
    return std::move(*result);
  }
  const Environment first = Environment::of_first(comm);
  return agreed(
      comm, [&] { return work(first); }, fingerprint_of, what, votes_of, of_all);
}

}  // namespace halocline::mpi
