// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/version.h"

#include <mpi.h>

int HCL_Version(int* major, int* minor, int* patch) {
  const halocline::Version loaded = halocline::version();
  if (major) *major = loaded.major;
  if (minor) *minor = loaded.minor;
  if (patch) *patch = loaded.patch;
  return MPI_SUCCESS;
}
