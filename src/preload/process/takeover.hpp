// Our functions in place of MPI's. Each file of this folder that defines some of them says when it takes a
// call over and when it leaves it to the system.
#pragma once

#include "preload/process/system.hpp"

namespace halocline::preload {

int cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm* cart);
int dims_create(int nnodes, int ndims, int dims[]);

template <Way way>
int dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int targets[],
                      const int weights[], MPI_Info info, int reorder, MPI_Comm* graph);
template <Way way>
int dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int source_weights[],
                               int outdegree, const int targets[], const int target_weights[], MPI_Info info,
                               int reorder, MPI_Comm* graph);
int pack(const void* inbuf, int incount, MPI_Datatype datatype, void* outbuf, int outsize, int* position,
         MPI_Comm comm);
int unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount, MPI_Datatype datatype,
           MPI_Comm comm);

template <Way way>
int comm_dup(MPI_Comm comm, MPI_Comm* copy);
template <Way way>
int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* copy);
int finalize();

int type_commit(MPI_Datatype* datatype);
int send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int ssend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status);
int sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
             int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
             MPI_Status* status);

int isend(const void* buf, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm,
          MPI_Request* request);
int issend(const void* buf, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm,
           MPI_Request* request);
int irecv(void* buf, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm,
          MPI_Request* request);
int send_init(const void* buf, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm,
              MPI_Request* request);
int ssend_init(const void* buf, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm,
               MPI_Request* request);
int recv_init(void* buf, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm,
              MPI_Request* request);

template <Way way>
int start(MPI_Request* request);
template <Way way>
int startall(int count, MPI_Request requests[]);
template <Way way>
int request_free(MPI_Request* request);
template <Way way>
int cancel(MPI_Request* request);
template <Way way>
int request_get_status(MPI_Request request, int* flag, MPI_Status* status);
template <Way way>
int wait(MPI_Request* request, MPI_Status* status);
template <Way way>
int test(MPI_Request* request, int* flag, MPI_Status* status);
template <Way way>
int waitany(int count, MPI_Request requests[], int* index, MPI_Status* status);
template <Way way>
int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status);
template <Way way>
int waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
template <Way way>
int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
template <Way way>
int waitsome(int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]);
template <Way way>
int testsome(int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]);

int neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm);
int ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
int neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                       MPI_Datatype recvtype, MPI_Comm comm);
int ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                        MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
int neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                       const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int ineighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        MPI_Request* request);
int neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
int neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm);
int ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Request* request);

int neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                           MPI_Request* request);
int neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            MPI_Info info, MPI_Request* request);
int neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                            MPI_Request* request);
int neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Info info, MPI_Request* request);

}  // namespace halocline::preload
