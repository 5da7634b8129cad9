// SPDX-License-Identifier: BSD-3-Clause
// The C interface of task mapping.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/halocline.h"
#include "halocline/mpi/task_map.hpp"

namespace halocline::api {
namespace {

Task task_of(int ndims, const double* coordinates, int nneighbors, const int* neighbors,
             const double* message_sizes) {
  const std::size_t dimensions = dimensions_of(ndims);
  require_pointer(coordinates, "coordinates");
  require(nneighbors >= 0, "a task with ", nneighbors, " neighbours; it takes 0 or more");
  const auto count = to_size(nneighbors);
  if (count > 0) require_pointer(neighbors, "neighbors");
  return {
      {coordinates, dimensions}, {neighbors, count}, {message_sizes, message_sizes == nullptr ? 0 : count}};
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Task_map(MPI_Comm comm, int ndims, const double coordinates[], int nneighbors, const int neighbors[],
                 const double message_sizes[], MPI_Info info, int* new_rank) {
  return guarded(comm, [&] {
    const Task task = agreed_arguments(comm, [&] {
      require_pointer(new_rank, "new_rank");
      return task_of(ndims, coordinates, nneighbors, neighbors, message_sizes);
    });
    TaskMapOptions options;
    options.info = info;
    *new_rank = map_task(comm, task, options).new_rank;
  });
}
