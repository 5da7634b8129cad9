/* SPDX-License-Identifier: BSD-3-Clause */
/* Message-combining isomorphic collectives under the names of the paper "Message-Combining Algorithms for
 * Isomorphic, Sparse Collective Communication". Everything said in halocline.h about HCL_Neighbor_* holds; an
 * Iso_request is an HCL_Request. Iso_start does not wait: Iso_wait or Iso_test completes the operation. */
#ifndef HALOCLINE_ISO_H
#define HALOCLINE_ISO_H

#include <halocline/halocline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The handle of an operation. */
typedef HCL_Request Iso_request;
/* No operation. */
#define ISO_REQUEST_NULL HCL_REQUEST_NULL

/* HCL_Neighborhood_create. */
HALOCLINE_API int Iso_neighborhood_create(MPI_Comm cartcomm, int s, const int relative_coordinates[],
                                          MPI_Comm* isocomm);

/* HCL_Neighbor_alltoall_init. */
HALOCLINE_API int Iso_neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                             void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                             MPI_Comm isocomm, Iso_request* request);
/* HCL_Neighbor_alltoallv_init. */
HALOCLINE_API int Iso_neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[],
                                              const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                              const int recvcounts[], const MPI_Aint rdispls[],
                                              MPI_Datatype recvtype, MPI_Comm isocomm, Iso_request* request);
/* HCL_Neighbor_alltoallw_init. */
HALOCLINE_API int Iso_neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[],
                                              const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                              void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                              const MPI_Datatype recvtypes[], MPI_Comm isocomm,
                                              Iso_request* request);
/* HCL_Neighbor_allgather_init. */
HALOCLINE_API int Iso_neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                              void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                              MPI_Comm isocomm, Iso_request* request);
/* HCL_Neighbor_allgatherv_init. */
HALOCLINE_API int Iso_neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                               void* recvbuf, const int recvcounts[],
                                               const MPI_Aint rdispls[], MPI_Datatype recvtype,
                                               MPI_Comm isocomm, Iso_request* request);
/* HCL_Neighbor_allgatherw_init. */
HALOCLINE_API int Iso_neighbor_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                               void* recvbuf, const int recvcounts[],
                                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                               MPI_Comm isocomm, Iso_request* request);

/* HCL_Start. */
HALOCLINE_API int Iso_start(Iso_request* request);
/* HCL_Test. */
HALOCLINE_API int Iso_test(Iso_request* request, int* flag);
/* HCL_Wait. */
HALOCLINE_API int Iso_wait(Iso_request* request);
/* HCL_Request_free. */
HALOCLINE_API int Iso_request_free(Iso_request* request);

#ifdef __cplusplus
}
#endif

#endif
