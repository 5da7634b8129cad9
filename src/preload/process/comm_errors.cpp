// SPDX-License-Identifier: BSD-3-Clause
#include "preload/process/comm_errors.hpp"

namespace halocline::preload {

bool errors_are_fatal(MPI_Comm comm) noexcept {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  const bool ends_the_program = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return ends_the_program;
}

bool CommErrors::are_fatal() const noexcept {
  return comm_ == MPI_COMM_NULL ? last_one_.get() == MPI_ERRORS_ARE_FATAL : errors_are_fatal(comm_);
}

void CommErrors::comm_goes() noexcept {
  PMPI_Comm_get_errhandler(comm_, last_one_.put());
  comm_ = MPI_COMM_NULL;
}

void CommErrors::raise(int code, MPI_Comm stand_in) const noexcept {
  if (comm_ != MPI_COMM_NULL) {
    PMPI_Comm_call_errhandler(comm_, code);
    return;
  }
  PMPI_Comm_set_errhandler(stand_in, last_one_.get());
  PMPI_Comm_call_errhandler(stand_in, code);
  PMPI_Comm_set_errhandler(stand_in, MPI_ERRORS_RETURN);
}

}  // namespace halocline::preload
