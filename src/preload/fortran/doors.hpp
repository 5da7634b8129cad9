// Our functions in place of those of Open MPI's Fortran interface; they read their arguments and do what
// those of takeover.hpp do.
#pragma once

#include <mpi.h>

namespace halocline::preload::fortran {

void cart_create(MPI_Fint* comm, MPI_Fint* ndims, MPI_Fint* dims, MPI_Fint* periods, MPI_Fint* reorder,
                 MPI_Fint* cart, MPI_Fint* ierror);
void dims_create(MPI_Fint* nnodes, MPI_Fint* ndims, MPI_Fint* dims, MPI_Fint* ierror);
void dist_graph_create_adjacent(MPI_Fint* comm, MPI_Fint* indegree, MPI_Fint* sources,
                                MPI_Fint* source_weights, MPI_Fint* outdegree, MPI_Fint* targets,
                                MPI_Fint* target_weights, MPI_Fint* info, MPI_Fint* reorder, MPI_Fint* graph,
                                MPI_Fint* ierror);
void dist_graph_create(MPI_Fint* comm, MPI_Fint* n, MPI_Fint* sources, MPI_Fint* degrees, MPI_Fint* targets,
                       MPI_Fint* weights, MPI_Fint* info, MPI_Fint* reorder, MPI_Fint* graph,
                       MPI_Fint* ierror);
void comm_dup(MPI_Fint* comm, MPI_Fint* copy, MPI_Fint* ierror);
void finalize(MPI_Fint* ierror);
void pack(void* inbuf, MPI_Fint* incount, MPI_Fint* type, void* outbuf, MPI_Fint* outsize, MPI_Fint* position,
          MPI_Fint* comm, MPI_Fint* ierror);
void unpack(void* inbuf, MPI_Fint* insize, MPI_Fint* position, void* outbuf, MPI_Fint* outcount,
            MPI_Fint* type, MPI_Fint* comm, MPI_Fint* ierror);
void type_commit(MPI_Fint* type, MPI_Fint* ierror);
void send(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* dest, MPI_Fint* tag, MPI_Fint* comm,
          MPI_Fint* ierror);
void recv(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* source, MPI_Fint* tag, MPI_Fint* comm,
          MPI_Fint* status, MPI_Fint* ierror);
void sendrecv(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, MPI_Fint* dest, MPI_Fint* sendtag,
              void* recvbuf, MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* source, MPI_Fint* recvtag,
              MPI_Fint* comm, MPI_Fint* status, MPI_Fint* ierror);
void isend(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm,
           MPI_Fint* request, MPI_Fint* ierror);
void issend(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm,
            MPI_Fint* request, MPI_Fint* ierror);
void irecv(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm,
           MPI_Fint* request, MPI_Fint* ierror);
void send_init(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm,
               MPI_Fint* request, MPI_Fint* ierror);
void ssend_init(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm,
                MPI_Fint* request, MPI_Fint* ierror);
void recv_init(void* buf, MPI_Fint* count, MPI_Fint* type, MPI_Fint* peer, MPI_Fint* tag, MPI_Fint* comm,
               MPI_Fint* request, MPI_Fint* ierror);
void neighbor_alltoall(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                       MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* ierror);
void ineighbor_alltoall(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                        MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* request,
                        MPI_Fint* ierror);
void neighbor_alltoallv(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                        void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                        MPI_Fint* comm, MPI_Fint* ierror);
void ineighbor_alltoallv(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                         void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                         MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror);
void neighbor_alltoallw(void* sendbuf, MPI_Fint* sendcounts, MPI_Aint* sdispls, MPI_Fint* sendtypes,
                        void* recvbuf, MPI_Fint* recvcounts, MPI_Aint* rdispls, MPI_Fint* recvtypes,
                        MPI_Fint* comm, MPI_Fint* ierror);
void ineighbor_alltoallw(void* sendbuf, MPI_Fint* sendcounts, MPI_Aint* sdispls, MPI_Fint* sendtypes,
                         void* recvbuf, MPI_Fint* recvcounts, MPI_Aint* rdispls, MPI_Fint* recvtypes,
                         MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror);
void neighbor_allgather(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                        MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* ierror);
void ineighbor_allgather(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                         MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* request,
                         MPI_Fint* ierror);
void neighbor_allgatherv(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                         MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                         MPI_Fint* ierror);
void ineighbor_allgatherv(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                          MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                          MPI_Fint* request, MPI_Fint* ierror);

void neighbor_alltoall_init(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                            MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* info,
                            MPI_Fint* request, MPI_Fint* ierror);
void neighbor_alltoallv_init(void* sendbuf, MPI_Fint* sendcounts, MPI_Fint* sdispls, MPI_Fint* sendtype,
                             void* recvbuf, MPI_Fint* recvcounts, MPI_Fint* rdispls, MPI_Fint* recvtype,
                             MPI_Fint* comm, MPI_Fint* info, MPI_Fint* request, MPI_Fint* ierror);
void neighbor_alltoallw_init(void* sendbuf, MPI_Fint* sendcounts, MPI_Aint* sdispls, MPI_Fint* sendtypes,
                             void* recvbuf, MPI_Fint* recvcounts, MPI_Aint* rdispls, MPI_Fint* recvtypes,
                             MPI_Fint* comm, MPI_Fint* info, MPI_Fint* request, MPI_Fint* ierror);
void neighbor_allgather_init(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                             MPI_Fint* recvcount, MPI_Fint* recvtype, MPI_Fint* comm, MPI_Fint* info,
                             MPI_Fint* request, MPI_Fint* ierror);
void neighbor_allgatherv_init(void* sendbuf, MPI_Fint* sendcount, MPI_Fint* sendtype, void* recvbuf,
                              MPI_Fint* recvcounts, MPI_Fint* displs, MPI_Fint* recvtype, MPI_Fint* comm,
                              MPI_Fint* info, MPI_Fint* request, MPI_Fint* ierror);

}  // namespace halocline::preload::fortran
