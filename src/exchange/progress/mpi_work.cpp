// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/progress/mpi_work.hpp"

namespace halocline::exchange {
namespace {

// The life of a generalized request, of which nothing is to be known.
int query(void* /*extra*/, MPI_Status* status) {
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
int freed(void* /*extra*/) { return MPI_SUCCESS; }
int cancel(void* /*extra*/, int /*complete*/) { return MPI_SUCCESS; }

}  // namespace

MpiWork::MpiWork() { HALOCLINE_MPI(Grequest_start, query, freed, cancel, nullptr, &never_); }

MpiWork::~MpiWork() {
  int finalized = 1;
  PMPI_Finalized(&finalized);
  if (finalized) return;
  PMPI_Grequest_complete(never_);
  PMPI_Wait(&never_, MPI_STATUS_IGNORE);
}

void MpiWork::go_on() {
  int complete = 0;
  HALOCLINE_MPI(Test, &never_, &complete, MPI_STATUS_IGNORE);
}

}  // namespace halocline::exchange
