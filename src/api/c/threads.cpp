// SPDX-License-Identifier: BSD-3-Clause
// Threads for the halos of C programs.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "api/c/halo_object.hpp"
#include "base/fail.hpp"

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Halo_set_threads(HCL_Halo halo, int threads) {
  return guarded(comm_of(halo), [&] { at_rest(halo).set_threads(threads); });
}

int HCL_Halo_set_executor(HCL_Halo halo, int width, HCL_Run_function* run, void* context) {
  return guarded(comm_of(halo), [&] {
    Halo& set = at_rest(halo);
    require(width == 1 || run != nullptr, "the function that runs the work of ", width,
            " workers is a null pointer");
    set.set_executor(Workers(width, run, context));
  });
}
