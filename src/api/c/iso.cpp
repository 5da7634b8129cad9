// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the exchange under the names of the paper on isomorphic collectives.

#include "halocline/iso.h"

#include "api/c/error.hpp"
#include "halocline/halocline.h"

using halocline::api::CalledAs;

int Iso_neighborhood_create(MPI_Comm cartcomm, int s, const int relative_coordinates[], MPI_Comm* isocomm) {
  const CalledAs called;
  return HCL_Neighborhood_create(cartcomm, s, relative_coordinates, isocomm);
}
int Iso_neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                               int recvcount, MPI_Datatype recvtype, MPI_Comm isocomm, Iso_request* request) {
  const CalledAs called;
  return HCL_Neighbor_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, isocomm,
                                    MPI_INFO_NULL, request);
}
int Iso_neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                                const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm isocomm,
                                Iso_request* request) {
  const CalledAs called;
  return HCL_Neighbor_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                     recvtype, isocomm, MPI_INFO_NULL, request);
}
int Iso_neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                                const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm isocomm,
                                Iso_request* request) {
  const CalledAs called;
  return HCL_Neighbor_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                     recvtypes, isocomm, MPI_INFO_NULL, request);
}
int Iso_neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                int recvcount, MPI_Datatype recvtype, MPI_Comm isocomm,
                                Iso_request* request) {
  const CalledAs called;
  return HCL_Neighbor_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, isocomm,
                                     MPI_INFO_NULL, request);
}
int Iso_neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 const int recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                                 MPI_Comm isocomm, Iso_request* request) {
  const CalledAs called;
  return HCL_Neighbor_allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                      isocomm, MPI_INFO_NULL, request);
}
int Iso_neighbor_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 const int recvcounts[], const MPI_Aint rdispls[],
                                 const MPI_Datatype recvtypes[], MPI_Comm isocomm, Iso_request* request) {
  const CalledAs called;
  return HCL_Neighbor_allgatherw_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes,
                                      isocomm, MPI_INFO_NULL, request);
}
int Iso_start(Iso_request* request) {
  const CalledAs called;
  return HCL_Start(request);
}
int Iso_test(Iso_request* request, int* flag) {
  const CalledAs called;
  return HCL_Test(request, flag);
}
int Iso_wait(Iso_request* request) {
  const CalledAs called;
  return HCL_Wait(request);
}
int Iso_request_free(Iso_request* request) {
  const CalledAs called;
  return HCL_Request_free(request);
}
