// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/handles/call.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <string>

namespace halocline::mpi {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) [[likely]]
    return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  if (PMPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  text.resize(static_cast<std::size_t>(length));
  throw Error(Fault::mpi, concat(call, " failed: ", text.empty() ? concat("error ", code) : text), code);
}

}  // namespace halocline::mpi
