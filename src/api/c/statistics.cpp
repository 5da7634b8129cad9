// SPDX-License-Identifier: BSD-3-Clause
// The C interface of what a halo has exchanged, and how.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "api/c/halo_object.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/handles/agree.hpp"

namespace halocline::api {

HCL_Statistics statistics_of(const ExchangeStatistics& all) {
  return {all.exchanges,    all.self.messages,    all.self.bytes,    all.node.messages,
          all.node.bytes,   all.network.messages, all.network.bytes, all.pack_seconds,
          all.late_seconds, all.transfer_seconds, all.timed ? 1 : 0};
}

}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Halo_statistics(HCL_Halo halo, HCL_Statistics* statistics) {
  return guarded(comm_of(halo), [&] {
    require_pointer(statistics, "statistics");
    *statistics = statistics_of(valid(halo).statistics());
  });
}

int HCL_Halo_report(HCL_Halo halo, int size, char* text, int* length) {
  return guarded(comm_of(halo), [&] {
    const std::string report = valid(halo).report();
    const auto check = [&] {
      require_text(size, text);
      return 0;
    };
    // Once the communicator is gone nobody can be asked; no process is left waiting, either.
    (void)(comm_of(halo) != MPI_COMM_NULL ? mpi::agreed(comm_of(halo), check) : check());
    write_text(report, size, text, length);
  });
}

namespace {

/// What one process can say alone.
template <class Say>
int tell(HCL_Halo halo, int size, char* text, int* length, const Say& say,
         const char* function = __builtin_FUNCTION()) {
  return guarded(
      comm_of(halo),
      [&] {
        const std::string told = say(valid(halo));
        require_text(size, text);
        write_text(told, size, text, length);
      },
      function);
}

}  // namespace

int HCL_Halo_schedule(HCL_Halo halo, int size, char* text, int* length) {
  return tell(halo, size, text, length, [](const Halo& told) { return told.exchanged().schedule(); });
}

int HCL_Halo_plan(HCL_Halo halo, int size, char* text, int* length) {
  return tell(halo, size, text, length, [](const Halo& told) { return told.plan().to_text(); });
}

int HCL_Halo_plan_json(HCL_Halo halo, int size, char* text, int* length) {
  return tell(halo, size, text, length, [](const Halo& told) { return told.plan().to_json(); });
}
