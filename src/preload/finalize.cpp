// MPI_Finalize, where there is a summary: also for programs of which nothing was even looked at.

#include "preload/journal.hpp"
#include "preload/system.hpp"
#include "preload/takeover.hpp"

namespace halocline::preload {

int finalize() {
  expect_the_end();
  return HALOCLINE_SYSTEM(Finalize)();
}

}  // namespace halocline::preload
