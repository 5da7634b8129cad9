// SPDX-License-Identifier: BSD-3-Clause
// Requests of messages by Open MPI's Fortran library. It completes them by functions of C that are
// intercepted.

#include "preload/fortran/fortran_arguments.hpp"
#include "preload/process/takeover.hpp"

namespace halocline::preload::fortran {

// As Fortran passes them: everything by reference. NOLINTBEGIN(readability-non-const-parameter)
#define HALOCLINE_POSTING(function)                                                                        \
  void function(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm, \
                MPI_Fint* request, MPI_Fint* ierror) {                                                     \
    MPI_Request made = MPI_REQUEST_NULL;                                                                   \
    const int code =                                                                                       \
        preload::function(c_buffer(buf), *count, type_of(type), *peer, *tag, comm_of(comm), &made);        \
    if (code == MPI_SUCCESS) *request = PMPI_Request_c2f(made);                                            \
    give(code, ierror);                                                                                    \
  }

HALOCLINE_POSTING(isend)
HALOCLINE_POSTING(issend)
HALOCLINE_POSTING(irecv)
HALOCLINE_POSTING(send_init)
HALOCLINE_POSTING(ssend_init)
HALOCLINE_POSTING(recv_init)
#undef HALOCLINE_POSTING
// NOLINTEND(readability-non-const-parameter)

}  // namespace halocline::preload::fortran
