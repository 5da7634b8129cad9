// SPDX-License-Identifier: BSD-3-Clause
// MPI_Finalize, where there is a summary: also for programs of which nothing was even looked at.

#include "preload/process/journal.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

namespace halocline::preload {

int finalize() {
  expect_the_end();
  return HALOCLINE_SYSTEM(Finalize)();
}

}  // namespace halocline::preload
