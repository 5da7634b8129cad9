// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/handles/agree.hpp"

#include "base/fail.hpp"
#include "base/hash.hpp"
#include "base/numbers.hpp"
#include "halocline/base/count.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace halocline::mpi {

namespace {

constexpr Count nobody = std::numeric_limits<Count>::max();

/// What one reduction tells of all processes.
struct Agreement {
  Count complaining;  ///< The lowest rank that does, or nobody.
  bool alike;
};

Agreement verdict(MPI_Comm comm, Count complaining, std::uint64_t fingerprint, Votes* votes) {
  // The least of the complements is the complement of the largest: both say whether the fingerprints are
  // equal. Signed numbers, because MPICH 4.0 takes unsigned ones for signed when it looks for the least.
  const auto print = static_cast<Count>(fingerprint);
  std::array<Count, 5> least{complaining, print, ~print, 0, 0};
  if (votes != nullptr) std::copy(votes->begin(), votes->end(), least.begin() + 3);
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, least.data(), to_int(least.size()), MPI_INT64_T, MPI_MIN, comm);
  if (votes != nullptr) *votes = {least[3] != 0, least[4] != 0};
  return {least[0], least[1] == ~least[2]};
}

}  // namespace

void agree(MPI_Comm comm, const std::optional<Error>& mine, std::uint64_t fingerprint, const char* what,
           Votes* votes) {
  const Count complaining = mine ? rank(comm) : nobody;
  const Agreement all = verdict(comm, complaining, fingerprint, votes);
  if (all.complaining == nobody) {
    require(all.alike, what, " differs between the processes; it must be the same on all");
    return;
  }
  const auto speaker = to_int(all.complaining);
  const bool speaking = all.complaining == complaining;
  std::array<int, 2> codes{};
  if (speaking) codes = {static_cast<int>(mine->fault()), mine->mpi_code()};
  HALOCLINE_MPI(Bcast, codes.data(), to_int(codes.size()), MPI_INT, speaker, comm);
  const std::string text = broadcast(comm, speaking ? mine->what() : "", speaker);
  throw Error(static_cast<Fault>(codes[0]), text, codes[1]);
}

bool all_agree(MPI_Comm comm, bool fine, std::uint64_t fingerprint, Votes* votes) {
  const Agreement all = verdict(comm, fine ? nobody : 0, fingerprint, votes);
  return all.complaining == nobody && all.alike;
}

std::uint64_t fingerprint(const std::string& text) { return hash_of_text(text); }

}  // namespace halocline::mpi
