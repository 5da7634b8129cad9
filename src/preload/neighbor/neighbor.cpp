// The neighbourhood collectives of the C interface: MPI_Neighbor_ and MPI_Ineighbor_ alltoall(v,w),
// allgather(v).

#include "preload/neighbor/neighbor_call.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

namespace halocline::preload {

int neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm) {
  static Tally& tally = tally_of("MPI_Neighbor_alltoall");
  return run(tally, Call::alltoall, Equal{sendbuf, sendcount, sendtype}, Equal{recvbuf, recvcount, recvtype},
             comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                          recvtype, comm);
             });
}
int ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  static Tally& tally = tally_of("MPI_Ineighbor_alltoall");
  return start(tally, Call::ialltoall, Equal{sendbuf, sendcount, sendtype},
               Equal{recvbuf, recvcount, recvtype}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                             recvtype, comm, request);
               });
}

int neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                       MPI_Datatype recvtype, MPI_Comm comm) {
  static Tally& tally = tally_of("MPI_Neighbor_alltoallv");
  return run(tally, Call::alltoallv, Varying{sendbuf, sendcounts, sdispls, sendtype},
             Varying{recvbuf, recvcounts, rdispls, recvtype}, comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                           recvcounts, rdispls, recvtype, comm);
             });
}
int ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                        MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  static Tally& tally = tally_of("MPI_Ineighbor_alltoallv");
  return start(tally, Call::ialltoallv, Varying{sendbuf, sendcounts, sdispls, sendtype},
               Varying{recvbuf, recvcounts, rdispls, recvtype}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                              recvcounts, rdispls, recvtype, comm, request);
               });
}

int neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                       const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  static Tally& tally = tally_of("MPI_Neighbor_alltoallw");
  return run(tally, Call::alltoallw, Mixed{sendbuf, sendcounts, sdispls, sendtypes},
             Mixed{recvbuf, recvcounts, rdispls, recvtypes}, comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                           recvcounts, rdispls, recvtypes, comm);
             });
}
int ineighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        MPI_Request* request) {
  static Tally& tally = tally_of("MPI_Ineighbor_alltoallw");
  return start(tally, Call::ialltoallw, Mixed{sendbuf, sendcounts, sdispls, sendtypes},
               Mixed{recvbuf, recvcounts, rdispls, recvtypes}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes,
                                                              recvbuf, recvcounts, rdispls, recvtypes, comm,
                                                              request);
               });
}

int neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  static Tally& tally = tally_of("MPI_Neighbor_allgather");
  return run(tally, Call::alltoall, Single{sendbuf, sendcount, sendtype}, Equal{recvbuf, recvcount, recvtype},
             comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                           recvtype, comm);
             });
}
int ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  static Tally& tally = tally_of("MPI_Ineighbor_allgather");
  return start(tally, Call::ialltoall, Single{sendbuf, sendcount, sendtype},
               Equal{recvbuf, recvcount, recvtype}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf,
                                                              recvcount, recvtype, comm, request);
               });
}

int neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  static Tally& tally = tally_of("MPI_Neighbor_allgatherv");
  return run(tally, Call::alltoall, Single{sendbuf, sendcount, sendtype},
             Varying{recvbuf, recvcounts, displs, recvtype}, comm, [&] {
               return HALOCLINE_SYSTEM(Neighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                            displs, recvtype, comm);
             });
}
int ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Request* request) {
  static Tally& tally = tally_of("MPI_Ineighbor_allgatherv");
  return start(tally, Call::ialltoall, Single{sendbuf, sendcount, sendtype},
               Varying{recvbuf, recvcounts, displs, recvtype}, comm, request, [&] {
                 return HALOCLINE_SYSTEM(Ineighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf,
                                                               recvcounts, displs, recvtype, comm, request);
               });
}

}  // namespace halocline::preload
