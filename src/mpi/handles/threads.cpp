// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/handles/threads.hpp"

#include "mpi/handles/call.hpp"

namespace halocline::mpi {

int thread_level() {
  static const int level = [] {
    int provided = MPI_THREAD_SINGLE;
    HALOCLINE_MPI(Query_thread, &provided);
    return provided;
  }();
  return level;
}

const char* thread_level_name(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

}  // namespace halocline::mpi
