#include "mpi/environment.hpp"

#include "mpi/comm.hpp"

#include <array>
#include <cstdlib>

namespace halocline::mpi {
namespace {

/// All that a collective call of the library looks at. What only one process reads anyway (HALOCLINE_MACHINE,
/// HALOCLINE_NETWORK and its like), and what makes no difference to others, is not among them.
constexpr std::array told{"HALOCLINE_PLACE",  "HALOCLINE_SCHEDULE",   "HALOCLINE_WIRE",
                          "HALOCLINE_SHARED", "HALOCLINE_STATISTICS", "HALOCLINE_VERIFY"};

std::string own_value(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

/// The rank in `comm` of the process with the lowest one in the world; of several worlds, the first such.
int first_process(MPI_Comm comm) {
  struct {
    int world_rank, rank;
  } mine{rank(MPI_COMM_WORLD), rank(comm)}, lowest{};
  HALOCLINE_MPI(Allreduce, &mine, &lowest, 1, MPI_2INT, MPI_MINLOC, comm);
  return lowest.rank;
}

}  // namespace

Environment Environment::of_first(MPI_Comm comm) {
  std::string all;
  for (const char* const variable : told) all += own_value(variable) + '\0';
  all = broadcast(comm, std::move(all), first_process(comm));
  Environment environment;
  std::size_t begin = 0;
  for (const char* const variable : told) {
    const std::size_t end = all.find('\0', begin);
    environment.first_[variable] = all.substr(begin, end - begin);
    begin = end + 1;
  }
  return environment;
}

std::string Environment::value(const char* variable) const {
  if (first_.empty()) return own_value(variable);
  const auto found = first_.find(variable);
  if (found == first_.end()) fail(Fault::internal, variable, " is not told by the first process");
  return found->second;
}

}  // namespace halocline::mpi
