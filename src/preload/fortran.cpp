// The Fortran entry points of Open MPI, whose Fortran library calls PMPI_ functions and so passes the C entry
// points by; MPICH's calls MPI_ functions and needs none of this. mpif.h, mpi and mpi_f08 pass the same
// words: handles, integers and logicals by reference; with mpi_f08 the error code may be missing.

#include "preload/fortran.hpp"

#include "preload/neighbor_call.hpp"
#include "preload/system.hpp"
#include "preload/takeover.hpp"

#include <vector>

#include <dlfcn.h>

namespace halocline::preload::fortran {
namespace {

// NOLINTNEXTLINE(misc-redundant-expression): with other MPIs it may differ
static_assert(sizeof(MPI_Fint) == sizeof(int), "integers of Fortran are passed on as they are");

/// A constant of Fortran is a variable that the program and MPI's library share.
const void* variable(const char* name) { return dlsym(RTLD_DEFAULT, name); }

bool is_in_place(const void* buffer) {
  static const void* const in_place = variable("mpi_fortran_in_place_");
  return buffer == in_place;
}

/// The buffer as C knows it.
const void* c_buffer(const void* buffer) {
  static const void* const bottom = variable("mpi_fortran_bottom_");
  if (buffer == bottom) return MPI_BOTTOM;
  return is_in_place(buffer) ? MPI_IN_PLACE : buffer;
}
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): it was given without const
void* c_buffer(void* buffer) { return const_cast<void*>(c_buffer(static_cast<const void*>(buffer))); }

const int* c_weights(const MPI_Fint* weights) {
  static const void* const unweighted = variable("mpi_fortran_unweighted_");
  static const void* const empty = variable("mpi_fortran_weights_empty_");
  if (weights == unweighted) return MPI_UNWEIGHTED;
  return weights == empty ? MPI_WEIGHTS_EMPTY : weights;
}

void give(int code, MPI_Fint* ierror) {
  if (ierror != nullptr) *ierror = code;
}

/// Calls the system's function of that name and arguments, which end with an error code of our own.
template <class... Arguments>
int system(void* function, Arguments*... arguments) {
  MPI_Fint code = MPI_SUCCESS;
  reinterpret_cast<void (*)(Arguments * ..., MPI_Fint*)>(function)(arguments..., &code);
  return code;
}

#define HALOCLINE_FORTRAN_SYSTEM(name)                                                    \
  ([] {                                                                                   \
    static void* const function = ::halocline::preload::system_function("mpi_" name "_"); \
    return function;                                                                      \
  }())

MPI_Comm comm_of(const MPI_Fint* comm) { return PMPI_Comm_f2c(*comm); }
MPI_Datatype type_of(const MPI_Fint* type) { return PMPI_Type_f2c(*type); }

/// A non-blocking collective that was taken over has a handle of C.
template <class Send, class Receive, class System>
int started(Tally& tally, Call call, const Send& send, const Receive& receive, const MPI_Fint* comm,
            MPI_Fint* request, const System& left) {
  MPI_Request made = MPI_REQUEST_NULL;
  bool is_ours = true;
  const int code = start(tally, call, send, receive, comm_of(comm), &made, [&] {
    is_ours = false;
    return left();
  });
  if (is_ours && code == MPI_SUCCESS) *request = PMPI_Request_c2f(made);
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
  const int code = preload::dist_graph_create_adjacent(
      comm_of(comm), *indegree, sources, c_weights(source_weights), *outdegree, targets,
      c_weights(target_weights), PMPI_Info_f2c(*info), *reorder != 0 ? 1 : 0, &made);
  if (code == MPI_SUCCESS) *graph = PMPI_Comm_c2f(made);
  give(code, ierror);
}

void dist_graph_create(MPI_Fint* comm, MPI_Fint* n, MPI_Fint* sources, MPI_Fint* degrees, MPI_Fint* targets,
                       MPI_Fint* weights, MPI_Fint* info, MPI_Fint* reorder, MPI_Fint* graph,
                       MPI_Fint* ierror) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code =
      preload::dist_graph_create(comm_of(comm), *n, sources, degrees, targets, c_weights(weights),
                                 PMPI_Info_f2c(*info), *reorder != 0 ? 1 : 0, &made);
  if (code == MPI_SUCCESS) *graph = PMPI_Comm_c2f(made);
  give(code, ierror);
}

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

void neighbor_alltoall(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                       MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Neighbor_alltoall");
  give(run(tally, Call::alltoall, Equal{c_buffer(sendbuf), *sendcount, type_of(sendtype)},
           Equal{c_buffer(recvbuf), *recvcount, type_of(recvtype)}, comm_of(comm),
           [&] {
             return system(HALOCLINE_FORTRAN_SYSTEM("neighbor_alltoall"), sendbuf, sendcount, sendtype,
                           recvbuf, recvcount, recvtype, comm);
           }),
       ierror);
}
void ineighbor_alltoall(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                        MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* request,
                        MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Ineighbor_alltoall");
  give(started(tally, Call::ialltoall, Equal{c_buffer(sendbuf), *sendcount, type_of(sendtype)},
               Equal{c_buffer(recvbuf), *recvcount, type_of(recvtype)}, comm, request,
               [&] {
                 return system(HALOCLINE_FORTRAN_SYSTEM("ineighbor_alltoall"), sendbuf, sendcount, sendtype,
                               recvbuf, recvcount, recvtype, comm, request);
               }),
       ierror);
}

void neighbor_alltoallv(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                        void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                        MPI_Fint* comm, MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Neighbor_alltoallv");
  give(run(tally, Call::alltoallv, Varying{c_buffer(sendbuf), sendcounts, sdispls, type_of(sendtype)},
           Varying{c_buffer(recvbuf), recvcounts, rdispls, type_of(recvtype)}, comm_of(comm),
           [&] {
             return system(HALOCLINE_FORTRAN_SYSTEM("neighbor_alltoallv"), sendbuf, sendcounts, sdispls,
                           sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
           }),
       ierror);
}
void ineighbor_alltoallv(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                         void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                         MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Ineighbor_alltoallv");
  give(started(tally, Call::ialltoallv, Varying{c_buffer(sendbuf), sendcounts, sdispls, type_of(sendtype)},
               Varying{c_buffer(recvbuf), recvcounts, rdispls, type_of(recvtype)}, comm, request,
               [&] {
                 return system(HALOCLINE_FORTRAN_SYSTEM("ineighbor_alltoallv"), sendbuf, sendcounts, sdispls,
                               sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
               }),
       ierror);
}

void neighbor_alltoallw(void* sendbuf, MPI_Fint* sendcounts, MPI_Aint* sdispls, MPI_Fint* sendtypes,
                        void* recvbuf, MPI_Fint* recvcounts, MPI_Aint* rdispls, MPI_Fint* recvtypes,
                        MPI_Fint* comm, MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Neighbor_alltoallw");
  give(run(tally, Call::alltoallw, MixedFortran{c_buffer(sendbuf), sendcounts, sdispls, sendtypes},
           MixedFortran{c_buffer(recvbuf), recvcounts, rdispls, recvtypes}, comm_of(comm),
           [&] {
             return system(HALOCLINE_FORTRAN_SYSTEM("neighbor_alltoallw"), sendbuf, sendcounts, sdispls,
                           sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
           }),
       ierror);
}
void ineighbor_alltoallw(void* sendbuf, MPI_Fint* sendcounts, MPI_Aint* sdispls, MPI_Fint* sendtypes,
                         void* recvbuf, MPI_Fint* recvcounts, MPI_Aint* rdispls, MPI_Fint* recvtypes,
                         MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Ineighbor_alltoallw");
  give(started(tally, Call::ialltoallw, MixedFortran{c_buffer(sendbuf), sendcounts, sdispls, sendtypes},
               MixedFortran{c_buffer(recvbuf), recvcounts, rdispls, recvtypes}, comm, request,
               [&] {
                 return system(HALOCLINE_FORTRAN_SYSTEM("ineighbor_alltoallw"), sendbuf, sendcounts, sdispls,
                               sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
               }),
       ierror);
}

void neighbor_allgather(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                        MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Neighbor_allgather");
  give(run(tally, Call::alltoall, Single{c_buffer(sendbuf), *sendcount, type_of(sendtype)},
           Equal{c_buffer(recvbuf), *recvcount, type_of(recvtype)}, comm_of(comm),
           [&] {
             return system(HALOCLINE_FORTRAN_SYSTEM("neighbor_allgather"), sendbuf, sendcount, sendtype,
                           recvbuf, recvcount, recvtype, comm);
           }),
       ierror);
}
void ineighbor_allgather(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                         MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* request,
                         MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Ineighbor_allgather");
  give(started(tally, Call::ialltoall, Single{c_buffer(sendbuf), *sendcount, type_of(sendtype)},
               Equal{c_buffer(recvbuf), *recvcount, type_of(recvtype)}, comm, request,
               [&] {
                 return system(HALOCLINE_FORTRAN_SYSTEM("ineighbor_allgather"), sendbuf, sendcount, sendtype,
                               recvbuf, recvcount, recvtype, comm, request);
               }),
       ierror);
}

void neighbor_allgatherv(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                         MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                         MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Neighbor_allgatherv");
  give(run(tally, Call::alltoall, Single{c_buffer(sendbuf), *sendcount, type_of(sendtype)},
           Varying{c_buffer(recvbuf), recvcounts, displs, type_of(recvtype)}, comm_of(comm),
           [&] {
             return system(HALOCLINE_FORTRAN_SYSTEM("neighbor_allgatherv"), sendbuf, sendcount, sendtype,
                           recvbuf, recvcounts, displs, recvtype, comm);
           }),
       ierror);
}
void ineighbor_allgatherv(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                          MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                          MPI_Fint* request, MPI_Fint* ierror) {
  static Tally& tally = tally_of("MPI_Ineighbor_allgatherv");
  give(started(tally, Call::ialltoall, Single{c_buffer(sendbuf), *sendcount, type_of(sendtype)},
               Varying{c_buffer(recvbuf), recvcounts, displs, type_of(recvtype)}, comm, request,
               [&] {
                 return system(HALOCLINE_FORTRAN_SYSTEM("ineighbor_allgatherv"), sendbuf, sendcount, sendtype,
                               recvbuf, recvcounts, displs, recvtype, comm, request);
               }),
       ierror);
}

// NOLINTEND(readability-non-const-parameter)

}  // namespace halocline::preload::fortran
