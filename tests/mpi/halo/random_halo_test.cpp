// Random halos through the C++ interface. Longer, with progress:
//   HALOCLINE_SECONDS=600 HALOCLINE_SEED=1 mpirun -n 4 build/release/bin/mpi_tests --files=halo/random_halo

#include "halo/cpp_halos.hpp"

namespace halocline::halo_random_halo_tests {
namespace {

TEST(Halo, random_ones_in_flight_show_their_neighbours_points) {
  Trials trials("random halos", 20261203, 10);
  while (trials.next()) run_random_halos<CppHalos>(trials.seed());
}

}  // namespace
}  // namespace halocline::halo_random_halo_tests
