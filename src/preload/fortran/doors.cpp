// SPDX-License-Identifier: BSD-3-Clause
// The entry points of Open MPI's Fortran library, which calls PMPI_ functions and so passes the C entry
// points by; MPICH's calls MPI_ functions and needs none of this. Neighbourhood collectives are in
// neighbor.hpp.

#include "preload/fortran/fortran_arguments.hpp"
#include "preload/process/takeover.hpp"

#include <vector>

#include <dlfcn.h>

namespace halocline::preload::fortran {

const void* variable(const char* name) { return dlsym(RTLD_DEFAULT, name); }

void* c_buffer(void* buffer) {
  static const void* const bottom = variable("mpi_fortran_bottom_");
  static const void* const in_place = variable("mpi_fortran_in_place_");
  if (buffer == bottom) return MPI_BOTTOM;
  return buffer == in_place ? MPI_IN_PLACE : buffer;
}

namespace {

const int* c_weights(const MPI_Fint* weights) {
  static const void* const unweighted = variable("mpi_fortran_unweighted_");
  static const void* const empty = variable("mpi_fortran_weights_empty_");
  if (weights == unweighted) return MPI_UNWEIGHTED;
  return weights == empty ? MPI_WEIGHTS_EMPTY : weights;
}

/// A call of C that fills a status of Fortran. What it does not set stays.
template <class Call>
int with_status(MPI_Fint* status, const Call& call) {
  static const void* const ignored = variable("mpi_fortran_status_ignore_");
  if (status == ignored || status == MPI_F_STATUS_IGNORE) return call(MPI_STATUS_IGNORE);
  MPI_Status filled;
  PMPI_Status_f2c(status, &filled);
  const int code = call(&filled);
  PMPI_Status_c2f(&filled, status);
  return code;
}

}  // namespace

// As Fortran passes them: everything by reference. NOLINTBEGIN(readability-non-const-parameter)

void cart_create(MPI_Fint* comm, MPI_Fint* ndims, MPI_Fint* dims, MPI_Fint* periods, MPI_Fint* reorder,
                 MPI_Fint* cart, MPI_Fint* ierror) {
  std::vector<int> periodic(periods, periods + (*ndims > 0 ? *ndims : 0));
  for (int& period : periodic) period = period != 0 ? 1 : 0;
  MPI_Comm made = MPI_COMM_NULL;
  const int code =
      preload::cart_create(comm_of(comm), *ndims, dims, periodic.data(), *reorder != 0 ? 1 : 0, &made);
  if (code == MPI_SUCCESS) *cart = PMPI_Comm_c2f(made);
  give(code, ierror);
}

void dims_create(MPI_Fint* nnodes, MPI_Fint* ndims, MPI_Fint* dims, MPI_Fint* ierror) {
  give(preload::dims_create(*nnodes, *ndims, dims), ierror);
}

void dist_graph_create_adjacent(MPI_Fint* comm, MPI_Fint* indegree, MPI_Fint* sources,
                                MPI_Fint* source_weights, MPI_Fint* outdegree, MPI_Fint* targets,
                                MPI_Fint* target_weights, MPI_Fint* info, MPI_Fint* reorder, MPI_Fint* graph,
                                MPI_Fint* ierror) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code = preload::dist_graph_create_adjacent<Prefix::plain>(
      comm_of(comm), *indegree, sources, c_weights(source_weights), *outdegree, targets,
      c_weights(target_weights), PMPI_Info_f2c(*info), *reorder != 0 ? 1 : 0, &made);
  if (code == MPI_SUCCESS) *graph = PMPI_Comm_c2f(made);
  give(code, ierror);
}

void dist_graph_create(MPI_Fint* comm, MPI_Fint* n, MPI_Fint* sources, MPI_Fint* degrees, MPI_Fint* targets,
                       MPI_Fint* weights, MPI_Fint* info, MPI_Fint* reorder, MPI_Fint* graph,
                       MPI_Fint* ierror) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code = preload::dist_graph_create<Prefix::plain>(comm_of(comm), *n, sources, degrees, targets,
                                                             c_weights(weights), PMPI_Info_f2c(*info),
                                                             *reorder != 0 ? 1 : 0, &made);
  if (code == MPI_SUCCESS) *graph = PMPI_Comm_c2f(made);
  give(code, ierror);
}

void comm_dup(MPI_Fint* comm, MPI_Fint* copy, MPI_Fint* ierror) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code = preload::comm_dup<Prefix::plain>(comm_of(comm), &made);
  if (code == MPI_SUCCESS) *copy = PMPI_Comm_c2f(made);
  give(code, ierror);
}

void finalize(MPI_Fint* ierror) { give(preload::finalize(), ierror); }

void pack(void* inbuf, MPI_Fint* incount, MPI_Fint* type, void* outbuf, MPI_Fint* outsize, MPI_Fint* position,
          MPI_Fint* comm, MPI_Fint* ierror) {
  give(preload::pack(c_buffer(inbuf), *incount, type_of(type), c_buffer(outbuf), *outsize, position,
                     comm_of(comm)),
       ierror);
}

void unpack(void* inbuf, MPI_Fint* insize, MPI_Fint* position, void* outbuf, MPI_Fint* outcount,
            MPI_Fint* type, MPI_Fint* comm, MPI_Fint* ierror) {
  give(preload::unpack(c_buffer(inbuf), *insize, position, c_buffer(outbuf), *outcount, type_of(type),
                       comm_of(comm)),
       ierror);
}

void type_commit(MPI_Fint* type, MPI_Fint* ierror) {
  MPI_Datatype committed = type_of(type);
  const int code = preload::type_commit(&committed);
  if (code == MPI_SUCCESS) *type = PMPI_Type_c2f(committed);
  give(code, ierror);
}

void send(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* dest, MPI_Fint* tag, MPI_Fint* comm,
          MPI_Fint* ierror) {
  give(preload::send(c_buffer(buf), *count, type_of(type), *dest, *tag, comm_of(comm)), ierror);
}

void recv(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* source, MPI_Fint* tag, MPI_Fint* comm,
          MPI_Fint* status, MPI_Fint* ierror) {
  give(with_status(status,
                   [&](MPI_Status* filled) {
                     return preload::recv(c_buffer(buf), *count, type_of(type), *source, *tag, comm_of(comm),
                                          filled);
                   }),
       ierror);
}

void sendrecv(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, MPI_Fint* dest, MPI_Fint* sendtag,
              void* recvbuf, MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* source, MPI_Fint* recvtag,
              MPI_Fint* comm, MPI_Fint* status, MPI_Fint* ierror) {
  give(with_status(status,
                   [&](MPI_Status* filled) {
                     return preload::sendrecv(c_buffer(sendbuf), *sendcount, type_of(sendtype), *dest,
                                              *sendtag, c_buffer(recvbuf), *recvcount, type_of(recvtype),
                                              *source, *recvtag, comm_of(comm), filled);
                   }),
       ierror);
}

// NOLINTEND(readability-non-const-parameter)

}  // namespace halocline::preload::fortran
