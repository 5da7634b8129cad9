// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/handles/call.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"

#include <string>

namespace halocline::mpi {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) [[likely]]
    return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  if (PMPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  text.resize(to_size(length));
  throw Error(Fault::mpi, concat(call, " failed: ", text.empty() ? concat("error ", code) : text), code);
}

void wait_all(std::span<MPI_Request> requests) {
  HALOCLINE_MPI(Waitall, to_int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace halocline::mpi
