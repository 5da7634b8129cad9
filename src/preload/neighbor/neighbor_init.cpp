// The persistent neighbourhood collectives of the C interface.

#include "preload/neighbor/neighbor_call.hpp"
#include "preload/process/persistent_names.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

namespace halocline::preload {
namespace {

/// Of a call with that name: how it is counted, and the function of the system.
template <class Function>
struct Entry {
  Tally& tally;
  Function* system;
  Entry(Function* /*ours*/, const char* name)
      : tally(tally_of(name)), system(reinterpret_cast<Function*>(system_function(name))) {}
};

}  // namespace

int neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                           MPI_Request* request) {
  static const Entry entry(neighbor_alltoall_init, HALOCLINE_PERSISTENT_NAME(Neighbor_alltoall_init));
  return prepare(entry.tally, Call::alltoall_init, Equal{sendbuf, sendcount, sendtype},
                 Equal{recvbuf, recvcount, recvtype}, comm, request, [&] {
                   return entry.system(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                                       request);
                 });
}

int neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  static const Entry entry(neighbor_alltoallv_init, HALOCLINE_PERSISTENT_NAME(Neighbor_alltoallv_init));
  return prepare(entry.tally, Call::alltoallv_init, Varying{sendbuf, sendcounts, sdispls, sendtype},
                 Varying{recvbuf, recvcounts, rdispls, recvtype}, comm, request, [&] {
                   return entry.system(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                       recvtype, comm, info, request);
                 });
}

int neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            MPI_Info info, MPI_Request* request) {
  static const Entry entry(neighbor_alltoallw_init, HALOCLINE_PERSISTENT_NAME(Neighbor_alltoallw_init));
  return prepare(entry.tally, Call::alltoallw_init, Mixed{sendbuf, sendcounts, sdispls, sendtypes},
                 Mixed{recvbuf, recvcounts, rdispls, recvtypes}, comm, request, [&] {
                   return entry.system(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                       recvtypes, comm, info, request);
                 });
}

int neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                            MPI_Request* request) {
  static const Entry entry(neighbor_allgather_init, HALOCLINE_PERSISTENT_NAME(Neighbor_allgather_init));
  return prepare(entry.tally, Call::alltoall_init, Single{sendbuf, sendcount, sendtype},
                 Equal{recvbuf, recvcount, recvtype}, comm, request, [&] {
                   return entry.system(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                                       request);
                 });
}

int neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Info info, MPI_Request* request) {
  static const Entry entry(neighbor_allgatherv_init, HALOCLINE_PERSISTENT_NAME(Neighbor_allgatherv_init));
  return prepare(entry.tally, Call::alltoall_init, Single{sendbuf, sendcount, sendtype},
                 Varying{recvbuf, recvcounts, displs, recvtype}, comm, request, [&] {
                   return entry.system(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                       comm, info, request);
                 });
}

}  // namespace halocline::preload
