// The smallest program that uses the installed library.
#include <mpi.h>
#include <halocline/halocline.hpp>

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const halocline::Discovery found = halocline::discover(MPI_COMM_WORLD);
    if (found.position == 0)
      std::printf("%lld ranks on %s\n", static_cast<long long>(found.machine.ranks()),
                  found.machine.to_text().c_str());
  }
  MPI_Finalize();
  const halocline::Version loaded = halocline::version();
  if (10000 * loaded.major + 100 * loaded.minor + loaded.patch != HALOCLINE_VERSION) {
    std::printf("the library is %d.%d.%d, its headers are %s\n", loaded.major, loaded.minor, loaded.patch,
                HALOCLINE_VERSION_TEXT);
    return 1;
  }
#ifdef FOUND_VERSION
  if (std::strcmp(FOUND_VERSION, HALOCLINE_VERSION_TEXT) != 0) {
    std::printf("the package is %s, its headers are %s\n", FOUND_VERSION, HALOCLINE_VERSION_TEXT);
    return 1;
  }
#endif
  return 0;
}
