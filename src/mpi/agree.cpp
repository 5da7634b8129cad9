#include "mpi/agree.hpp"

#include "mpi/comm.hpp"

#include <array>
#include <limits>

namespace halocline::mpi {

void agree(MPI_Comm comm, const std::optional<Error>& mine) {
  constexpr int nobody = std::numeric_limits<int>::max();
  const int complaining = mine ? rank(comm) : nobody;
  int speaker = nobody;
  HALOCLINE_MPI(Allreduce, &complaining, &speaker, 1, MPI_INT, MPI_MIN, comm);
  if (speaker == nobody) return;

  const bool speaking = speaker == complaining;
  std::array<int, 2> codes{};
  if (speaking) codes = {static_cast<int>(mine->fault()), mine->mpi_code()};
  HALOCLINE_MPI(Bcast, codes.data(), static_cast<int>(codes.size()), MPI_INT, speaker, comm);
  const std::string text = broadcast(comm, speaking ? mine->what() : "", speaker);
  throw Error(static_cast<Fault>(codes[0]), text, codes[1]);
}

}  // namespace halocline::mpi
