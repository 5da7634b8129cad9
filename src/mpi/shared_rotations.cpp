#include "mpi/shared_rotations.hpp"

#include "mpi/comm.hpp"

namespace halocline::mpi {

Share share_of_rotations(MPI_Comm comm, Count rotations) {
  const Count processes = size(comm);
  const Count number = rank(comm);
  return {rotations * number / processes, rotations * (number + 1) / processes};
}

network::Score least_score(MPI_Comm comm, const network::Score& mine) {
  struct {  // as MPI_DOUBLE_INT has it
    double weighted_hops;
    int rotation;
  } score{mine.weighted_hops, static_cast<int>(mine.rotation)};
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, &score, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
  return {score.weighted_hops, score.rotation};
}

}  // namespace halocline::mpi
