// The C interface of what a halo has exchanged.

#include "api/c/error.hpp"
#include "api/c/halo_object.hpp"
#include "mpi/agree.hpp"

#include <algorithm>
#include <cstring>

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Halo_statistics(HCL_Halo halo, HCL_Statistics* statistics) {
  return guarded(comm_of(halo), [&] {
    require_pointer(statistics, "statistics");
    const ExchangeStatistics& all = valid(halo).statistics();
    *statistics = {all.exchanges,    all.self.messages,    all.self.bytes,    all.node.messages,
                   all.node.bytes,   all.network.messages, all.network.bytes, all.pack_seconds,
                   all.late_seconds, all.transfer_seconds, all.timed ? 1 : 0};
  });
}

int HCL_Halo_report(HCL_Halo halo, int size, char* text, int* length) {
  return guarded(comm_of(halo), [&] {
    const std::string report = valid(halo).report();
    const auto check = [&] {
      require(size >= 0, "a text of at most ", size, " characters; 0 is the least");
      if (size > 0) require_pointer(text, "text");
      return 0;
    };
    // Once the communicator is gone nobody can be asked; no process is left waiting, either.
    (void)(comm_of(halo) != MPI_COMM_NULL ? mpi::agreed(comm_of(halo), check) : check());
    if (size > 0) {
      const std::size_t written = std::min(report.size(), static_cast<std::size_t>(size) - 1);
      std::memcpy(text, report.data(), written);
      text[written] = '\0';
    }
    if (length != nullptr) *length = static_cast<int>(report.size());
  });
}
