// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/settings/environment.hpp"

#include "base/fail.hpp"
#include "base/settings.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/plan_in_use.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

namespace halocline::mpi {
namespace {

/// All that a collective call of the library looks at. What only one process reads anyway (HALOCLINE_MACHINE,
/// HALOCLINE_NETWORK and its like), and what makes no difference to others, is not among them.
constexpr std::array told{settings::place.variable,      settings::schedule.variable,
                          settings::wire.variable,       settings::shared.variable,
                          settings::statistics.variable, settings::verify.variable,
                          settings::progress.variable,   settings::plan_use.variable};

std::string own_value(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

/// Of a file that the first process alone reads, what is in it is told instead of its name.
std::string told_value(const char* variable) {
  std::string value = own_value(variable);
  return value.empty() || std::string_view(variable) != plan_use ? value : usable_plan(value);
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
  const int first = first_process(comm);
  std::string all;
  if (rank(comm) == first)
    for (const char* const variable : told) all += told_value(variable) + '\0';
  all = broadcast(comm, std::move(all), first);
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
  if (first_.empty()) {
    std::string own = own_value(variable);
    require(own.empty() || std::string_view(variable) != plan_use, plan_use, " is read by the first process");
    return own;
  }
  const auto found = first_.find(variable);
  if (found == first_.end()) fail(Fault::internal, variable, " is not told by the first process");
  return found->second;
}

}  // namespace halocline::mpi
