// The smallest program that uses the installed library.
#include <mpi.h>
#include <halocline/halocline.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const halocline::Discovery found = halocline::discover(MPI_COMM_WORLD);
    if (found.position == 0)
      std::printf("%lld ranks on %s\n", static_cast<long long>(found.machine.ranks()),
                  found.machine.to_text().c_str());
  }
  MPI_Finalize();
  return 0;
}
