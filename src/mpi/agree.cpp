#include "mpi/agree.hpp"

#include "halocline/base/count.hpp"
#include "mpi/comm.hpp"

#include <array>
#include <limits>

namespace halocline::mpi {

void agree(MPI_Comm comm, const std::optional<Error>& mine, std::uint64_t fingerprint, const char* what) {
  constexpr Count nobody = std::numeric_limits<Count>::max();
  const Count complaining = mine ? rank(comm) : nobody;
  // The least of the complements is the complement of the largest: both say whether the fingerprints are
  // equal. Signed numbers, because MPICH 4.0 takes unsigned ones for signed when it looks for the least.
  const auto print = static_cast<Count>(fingerprint);
  std::array<Count, 3> least{complaining, print, ~print};
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT64_T, MPI_MIN,
                comm);
  if (least[0] == nobody) {
    require(least[1] == ~least[2], what, " differs between the processes; it must be the same on all");
    return;
  }
  const auto speaker = static_cast<int>(least[0]);
  const bool speaking = least[0] == complaining;
  std::array<int, 2> codes{};
  if (speaking) codes = {static_cast<int>(mine->fault()), mine->mpi_code()};
  HALOCLINE_MPI(Bcast, codes.data(), static_cast<int>(codes.size()), MPI_INT, speaker, comm);
  const std::string text = broadcast(comm, speaking ? mine->what() : "", speaker);
  throw Error(static_cast<Fault>(codes[0]), text, codes[1]);
}

bool all_agree(MPI_Comm comm, bool fine, std::uint64_t fingerprint) {
  const auto print = static_cast<Count>(fingerprint);
  std::array<Count, 3> least{fine ? 1 : 0, print, ~print};
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT64_T, MPI_MIN,
                comm);
  return least[0] != 0 && least[1] == ~least[2];
}

std::uint64_t fingerprint(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a, alike on every machine of a job
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

}  // namespace halocline::mpi
