// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicators/shared_rotations.hpp"

#include "base/numbers.hpp"
#include "mpi/handles/comm.hpp"

#include <limits>

namespace halocline::mpi {

RotationShare share_of_rotations(MPI_Comm comm, Count rotations) {
  const Count processes = size(comm);
  const Count number = rank(comm);
  return {rotations * number / processes, rotations * (number + 1) / processes};
}

network::Score least_score(MPI_Comm comm, const network::Score& mine) {
  double fullest_link = mine.fullest_link;
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, &fullest_link, 1, MPI_DOUBLE, MPI_MIN, comm);
  const bool leads = mine.fullest_link == fullest_link;
  struct {  // as MPI_DOUBLE_INT has it
    double weighted_hops;
    int rotation;
  } score{leads ? mine.weighted_hops : std::numeric_limits<double>::infinity(), to_int(mine.rotation)};
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, &score, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
  return {fullest_link, score.weighted_hops, score.rotation};
}

}  // namespace halocline::mpi
