// The neighbourhood collectives of Open MPI's Fortran library.

#include "preload/fortran/words.hpp"
#include "preload/neighbor/neighbor_call.hpp"
#include "preload/process/persistent_names.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

namespace halocline::preload::fortran {
namespace {

/// A collective: how it is counted, and the function that the program would have called.
struct Entry {
  Tally& tally;
  void* function;
  Entry(const char* c_name, const char* fortran_name)
      : tally(tally_of(c_name)), function(system_function(fortran_name)) {}

  /// Calls it with arguments that end with an error code of our own.
  template <class... Arguments>
  [[nodiscard]] int system(Arguments*... arguments) const {
    MPI_Fint code = MPI_SUCCESS;
    reinterpret_cast<void (*)(Arguments * ..., MPI_Fint*)>(function)(arguments..., &code);
    return code;
  }
};

/// `arguments` are all that the system's function gets but for the error code.
template <class Send, class Receive, class... Arguments>
void blocking(const Entry& entry, Call call, const Send& send, const Receive& receive, const MPI_Fint* comm,
              MPI_Fint* ierror, Arguments*... arguments) {
  give(run(entry.tally, call, send, receive, comm_of(comm), [&] { return entry.system(arguments...); }),
       ierror);
}

/// As blocking(), but for the request, which the system's function gets as well. One of ours has a handle of
/// C.
template <Form form, class Send, class Receive, class... Arguments>
void with_request(const Entry& entry, Call call, const Send& send, const Receive& receive,
                  const MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror, Arguments*... arguments) {
  MPI_Request made = MPI_REQUEST_NULL;
  bool is_ours = true;
  const auto system = [&] {
    is_ours = false;
    return entry.system(arguments..., request);
  };
  int code = MPI_SUCCESS;
  if constexpr (form == Form::persistent)
    code = prepare(entry.tally, call, send, receive, comm_of(comm), &made, system);
  else
    code = start(entry.tally, call, send, receive, comm_of(comm), &made, system);
  if (is_ours && code == MPI_SUCCESS) *request = PMPI_Request_c2f(made);
  give(code, ierror);
}

Equal equal(void* buffer, const MPI_Fint* count, const MPI_Fint* type) {
  return {c_buffer(buffer), *count, type_of(type)};
}
Single single(void* buffer, const MPI_Fint* count, const MPI_Fint* type) {
  return {c_buffer(buffer), *count, type_of(type)};
}
Varying varying(void* buffer, const MPI_Fint* counts, const MPI_Fint* places, const MPI_Fint* type) {
  return {c_buffer(buffer), counts, places, type_of(type)};
}
MixedFortran mixed(void* buffer, const MPI_Fint* counts, const MPI_Aint* places, const MPI_Fint* types) {
  return {c_buffer(buffer), counts, places, types};
}

}  // namespace

// As Fortran passes them: everything by reference. NOLINTBEGIN(readability-non-const-parameter)

void neighbor_alltoall(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                       MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* ierror) {
  static const Entry entry("MPI_Neighbor_alltoall", "mpi_neighbor_alltoall_");
  blocking(entry, Call::alltoall, equal(sendbuf, sendcount, sendtype), equal(recvbuf, recvcount, recvtype),
           comm, ierror, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
void ineighbor_alltoall(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                        MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* request,
                        MPI_Fint* ierror) {
  static const Entry entry("MPI_Ineighbor_alltoall", "mpi_ineighbor_alltoall_");
  with_request<Form::non_blocking>(entry, Call::ialltoall, equal(sendbuf, sendcount, sendtype),
                                   equal(recvbuf, recvcount, recvtype), comm, request, ierror, sendbuf,
                                   sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

void neighbor_alltoallv(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                        void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                        MPI_Fint* comm, MPI_Fint* ierror) {
  static const Entry entry("MPI_Neighbor_alltoallv", "mpi_neighbor_alltoallv_");
  blocking(entry, Call::alltoallv, varying(sendbuf, sendcounts, sdispls, sendtype),
           varying(recvbuf, recvcounts, rdispls, recvtype), comm, ierror, sendbuf, sendcounts, sdispls,
           sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}
void ineighbor_alltoallv(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                         void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                         MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror) {
  static const Entry entry("MPI_Ineighbor_alltoallv", "mpi_ineighbor_alltoallv_");
  with_request<Form::non_blocking>(entry, Call::ialltoallv, varying(sendbuf, sendcounts, sdispls, sendtype),
                                   varying(recvbuf, recvcounts, rdispls, recvtype), comm, request, ierror,
                                   sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                   recvtype, comm);
}

void neighbor_alltoallw(void* sendbuf, MPI_Fint* sendcounts, MPI_Aint* sdispls, MPI_Fint* sendtypes,
                        void* recvbuf, MPI_Fint* recvcounts, MPI_Aint* rdispls, MPI_Fint* recvtypes,
                        MPI_Fint* comm, MPI_Fint* ierror) {
  static const Entry entry("MPI_Neighbor_alltoallw", "mpi_neighbor_alltoallw_");
  blocking(entry, Call::alltoallw, mixed(sendbuf, sendcounts, sdispls, sendtypes),
           mixed(recvbuf, recvcounts, rdispls, recvtypes), comm, ierror, sendbuf, sendcounts, sdispls,
           sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}
void ineighbor_alltoallw(void* sendbuf, MPI_Fint* sendcounts, MPI_Aint* sdispls, MPI_Fint* sendtypes,
                         void* recvbuf, MPI_Fint* recvcounts, MPI_Aint* rdispls, MPI_Fint* recvtypes,
                         MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror) {
  static const Entry entry("MPI_Ineighbor_alltoallw", "mpi_ineighbor_alltoallw_");
  with_request<Form::non_blocking>(entry, Call::ialltoallw, mixed(sendbuf, sendcounts, sdispls, sendtypes),
                                   mixed(recvbuf, recvcounts, rdispls, recvtypes), comm, request, ierror,
                                   sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                   recvtypes, comm);
}

void neighbor_allgather(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                        MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* ierror) {
  static const Entry entry("MPI_Neighbor_allgather", "mpi_neighbor_allgather_");
  blocking(entry, Call::alltoall, single(sendbuf, sendcount, sendtype), equal(recvbuf, recvcount, recvtype),
           comm, ierror, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
void ineighbor_allgather(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                         MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* request,
                         MPI_Fint* ierror) {
  static const Entry entry("MPI_Ineighbor_allgather", "mpi_ineighbor_allgather_");
  with_request<Form::non_blocking>(entry, Call::ialltoall, single(sendbuf, sendcount, sendtype),
                                   equal(recvbuf, recvcount, recvtype), comm, request, ierror, sendbuf,
                                   sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

void neighbor_allgatherv(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                         MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                         MPI_Fint* ierror) {
  static const Entry entry("MPI_Neighbor_allgatherv", "mpi_neighbor_allgatherv_");
  blocking(entry, Call::alltoall, single(sendbuf, sendcount, sendtype),
           varying(recvbuf, recvcounts, displs, recvtype), comm, ierror, sendbuf, sendcount, sendtype,
           recvbuf, recvcounts, displs, recvtype, comm);
}
void ineighbor_allgatherv(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                          MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                          MPI_Fint* request, MPI_Fint* ierror) {
  static const Entry entry("MPI_Ineighbor_allgatherv", "mpi_ineighbor_allgatherv_");
  with_request<Form::non_blocking>(entry, Call::ialltoall, single(sendbuf, sendcount, sendtype),
                                   varying(recvbuf, recvcounts, displs, recvtype), comm, request, ierror,
                                   sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

#if defined(HALOCLINE_PERSISTENT_PREFIX)

void neighbor_alltoall_init(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                            MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* info,
                            MPI_Fint* request, MPI_Fint* ierror) {
  static const Entry entry(HALOCLINE_PERSISTENT_NAME(Neighbor_alltoall_init),
                           HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_alltoall_init_));
  with_request<Form::persistent>(entry, Call::alltoall_init, equal(sendbuf, sendcount, sendtype),
                                 equal(recvbuf, recvcount, recvtype), comm, request, ierror, sendbuf,
                                 sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info);
}
void neighbor_alltoallv_init(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                             void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                             MPI_Fint* comm, MPI_Fint* info, MPI_Fint* request, MPI_Fint* ierror) {
  static const Entry entry(HALOCLINE_PERSISTENT_NAME(Neighbor_alltoallv_init),
                           HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_alltoallv_init_));
  with_request<Form::persistent>(entry, Call::alltoallv_init, varying(sendbuf, sendcounts, sdispls, sendtype),
                                 varying(recvbuf, recvcounts, rdispls, recvtype), comm, request, ierror,
                                 sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                 recvtype, comm, info);
}
void neighbor_alltoallw_init(void* sendbuf, MPI_Fint* sendcounts, MPI_Aint* sdispls, MPI_Fint* sendtypes,
                             void* recvbuf, MPI_Fint* recvcounts, MPI_Aint* rdispls, MPI_Fint* recvtypes,
                             MPI_Fint* comm, MPI_Fint* info, MPI_Fint* request, MPI_Fint* ierror) {
  static const Entry entry(HALOCLINE_PERSISTENT_NAME(Neighbor_alltoallw_init),
                           HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_alltoallw_init_));
  with_request<Form::persistent>(entry, Call::alltoallw_init, mixed(sendbuf, sendcounts, sdispls, sendtypes),
                                 mixed(recvbuf, recvcounts, rdispls, recvtypes), comm, request, ierror,
                                 sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                 recvtypes, comm, info);
}
void neighbor_allgather_init(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                             MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* info,
                             MPI_Fint* request, MPI_Fint* ierror) {
  static const Entry entry(HALOCLINE_PERSISTENT_NAME(Neighbor_allgather_init),
                           HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_allgather_init_));
  with_request<Form::persistent>(entry, Call::alltoall_init, single(sendbuf, sendcount, sendtype),
                                 equal(recvbuf, recvcount, recvtype), comm, request, ierror, sendbuf,
                                 sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info);
}
void neighbor_allgatherv_init(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                              MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                              MPI_Fint* info, MPI_Fint* request, MPI_Fint* ierror) {
  static const Entry entry(HALOCLINE_PERSISTENT_NAME(Neighbor_allgatherv_init),
                           HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_allgatherv_init_));
  with_request<Form::persistent>(entry, Call::alltoall_init, single(sendbuf, sendcount, sendtype),
                                 varying(recvbuf, recvcounts, displs, recvtype), comm, request, ierror,
                                 sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                                 info);
}

#endif

// NOLINTEND(readability-non-const-parameter)

}  // namespace halocline::preload::fortran
