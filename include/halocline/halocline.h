/* SPDX-License-Identifier: BSD-3-Clause */
/* Halocline for C programs: include this.
 *
 * Every function follows MPI's conventions: it returns MPI_SUCCESS or an error code, takes what goes in
 * before what comes out, and calls the error handler of its communicator (of MPI_COMM_WORLD where it has
 * none) when it fails. Error classes are MPI's own: MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_TOPOLOGY,
 * MPI_ERR_TYPE, MPI_ERR_COMM. A collective function fails on all processes alike, or on none.
 * With MPI_THREAD_MULTIPLE threads may call functions at once, one thread at a time with the same halo or
 * request; collective ones on one communicator are put in order by the program, as MPI's own are. With less,
 * one thread at a time calls. */
#ifndef HALOCLINE_H
#define HALOCLINE_H

#include <halocline/api.h>
#include <halocline/boxes.h>
#include <halocline/halo.h>
#include <halocline/version.h>
#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Weights that are the same for every dimension. */
#define HCL_WEIGHTS_EQUAL ((const double*)0)

/* The text of an error code: what Halocline said last in this thread if it is one of its own, otherwise
 * MPI's. `string` has room for MPI_MAX_ERROR_STRING characters. MPICH 4.0 cannot keep the text of a code that
 * belongs to one of its own classes; there this is the only way to read it. */
HALOCLINE_API int HCL_Error_string(int errorcode, char* string, int* resultlen);

/* Shape: the process grid that fits the mesh and the machine.
 *
 * Entries of dims that are positive on entry stay; those that are 0 are chosen. A dimension's weight says
 * what each part along it adds to the cost: halo width / mesh extent. Ties are broken as MPI_Dims_create
 * should: the most even grid wins. */

/* The grid of nprocs processes with the least sum of dim_weights[i] * dims[i]. */
HALOCLINE_API int HCL_Dims_weighted_create(int nprocs, int ndims, const double dim_weights[], int dims[]);

/* The same for a mesh and halos of the given widths (NULL: 1 everywhere), exactly; no dimension is cut into
 * more parts than its halos leave room for. */
HALOCLINE_API int HCL_Dims_mesh_create(int nprocs, int ndims, const int64_t mesh[], const int64_t halo[],
                                       int dims[]);

/* The factors of each level of an even machine, sizes[0] groups (nodes, say) of sizes[1] groups ... of
 * sizes[nlevels - 1] processes: dims_ml[i * nlevels + l] is the factor of level l in dimension i. The product
 * of the sizes must be nprocs. */
HALOCLINE_API int HCL_Dims_ml_create(int nprocs, int ndims, const double dim_weights[], int nlevels,
                                     const int sizes[], int dims_ml[]);

/* A Cartesian communicator over all processes of comm_old, whose grid and numbering fit the nodes: each node
 * gets a compact part of the grid. Nodes of different sizes are served, too. `info` may be MPI_INFO_NULL or
 * hold the keys
 *   halocline_shape   "levels" (one level after the other, the default) or "joint" (all at once)
 *   halocline_ratios  cost ratios of the levels for "joint", outermost first: "7,1"
 *   halocline_place   how processes are placed on nodes of different sizes, as for HCL_Cart_create
 * The cartesian communicator is new; the caller frees it. Collective. */
HALOCLINE_API int HCL_Cart_weighted_create(MPI_Comm comm_old, int ndims, const double dim_weights[],
                                           const int periods[], MPI_Info info, int dims[],
                                           MPI_Comm* comm_cart);

/* A level that MPI has no split type for: the packages of a node. Found with hwloc, where processes are
 * bound. */
#define HCL_COMM_TYPE_PACKAGE 0x48434c01
/* Those that share a memory. */
#define HCL_COMM_TYPE_NUMA 0x48434c02
/* Those that share a cache of the third level. */
#define HCL_COMM_TYPE_L3CACHE 0x48434c03

/* The same with the levels named: type_levels are MPI_COMM_TYPE_SHARED, then any of the above, outermost
 * first. */
HALOCLINE_API int HCL_Cart_ml_create_from_types(MPI_Comm comm_old, int ntype_levels, const int type_levels[],
                                                int ndims, const double dim_weights[], const int periods[],
                                                MPI_Info info, int dims[], MPI_Comm* comm_cart);

/* The same with the levels given as communicators: level_comms[0] has all processes, each further one those
 * of the group that the calling process is in. All groups of a level must be of one size. */
HALOCLINE_API int HCL_Cart_ml_create_from_comms(int nlevels, const MPI_Comm level_comms[], int ndims,
                                                const double dim_weights[], const int periods[],
                                                MPI_Info info, int dims[], MPI_Comm* comm_cart);

/* Place: every process in the right cell.
 *
 * A stencil is a list of offsets between cells, ndims integers each, one behind the other; weights (bytes,
 * say) are one for each offset, or NULL for ones. `info` may be MPI_INFO_NULL or hold the key
 * halocline_place: blocked, random, nodecart, hyperplane, kd-tree, strips, optimal-strips or best. Without it
 * the environment variable HALOCLINE_PLACE of the process with the lowest rank in MPI_COMM_WORLD decides, and
 * without that the best of all.
 *
 * Where the network between the nodes is described, nodes that are alike also change places so that messages
 * travel less far. It is described by keys of `info`, or else by the environment variables of the same names
 * (HALOCLINE_NETWORK, ...) on rank 0:
 *
 *   halocline_network     the network: "torus:25x16x24", "fat-tree:12x18", "dragonfly:9x4x2", ... or "none"
 *
 *   halocline_allocation  a file with a line for each node: its coordinates in the network, behind its host's
 *                         name ("n17 3 0 5"), or without names in the order of the nodes' lowest ranks
 *
 *   halocline_mapping     how nodes are mapped: z2_1 (the default), z2_2 or z2_3, for fewer hops while what
 *                         crosses between nodes stays the same; or links, so that the fullest link has less
 *                         to do, whatever the best placement is for that
 *
 * Rank 0 reads the file. What was read is remembered on the communicator. */

/* The stencil {+-1 along each dimension}; the number of neighbours is then ignored. */
#define HCL_STENCIL_NEAREST ((const int*)0)
/* What HCL_STENCIL_MOORE stands for. */
HALOCLINE_API extern const int HCL_Stencil_moore[1];
/* The stencil of all -1, 0 and 1 along each dimension but (0, ..., 0). */
#define HCL_STENCIL_MOORE HCL_Stencil_moore

/* As MPI_Cart_create, but with `reorder` the processes are placed so that little is sent between nodes,
 * however the launcher placed the ranks of comm_old. If the grid has fewer cells than comm_old has processes,
 * those left over get MPI_COMM_NULL. Collective. */
HALOCLINE_API int HCL_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                                  int reorder, int nneighbors, const int offsets[], const int64_t weights[],
                                  MPI_Info info, MPI_Comm* comm_cart);

/* The same for a mesh with halos of the given widths (NULL: 1 everywhere): the grid is chosen, too, together
 * with the placement. Positive entries of dims stay, the others are filled in. All processes take part, and
 * the communicator knows its mesh, see halo.h. One more key of `info`:
 *   halocline_order  c (the default) or fortran: of grids that are equally good, that which cuts arrays of
 *                    this order where their points are far apart
 * Collective. */
HALOCLINE_API int HCL_Cart_mesh_create(MPI_Comm comm_old, int ndims, const int64_t mesh[],
                                       const int64_t halo[], const int periods[], int reorder, int nneighbors,
                                       const int offsets[], const int64_t weights[], MPI_Info info,
                                       int dims[], MPI_Comm* comm_cart);

/* The same for a mesh that the program cuts itself, in slabs of any sizes, for work that differs from place
 * to place: slabs[0], ..., slabs[dims[0] - 1] points for the processes at each coordinate of dimension 0,
 * then dims[1] numbers for dimension 1, and so on. The mesh is their sum. The communicator knows it, and who
 * owns what. MPI_ERR_DIMS if a slab has no points, or the grid has not as many cells as there are processes.
 * Collective. */
HALOCLINE_API int HCL_Cart_slabs_create(MPI_Comm comm_old, int ndims, const int dims[], const int64_t slabs[],
                                        const int64_t halo[], const int periods[], int reorder,
                                        int nneighbors, const int offsets[], const int64_t weights[],
                                        MPI_Info info, MPI_Comm* comm_cart);

/* What crosses between nodes when the processes of a Cartesian communicator talk along a stencil: in all, and
 * the most that leaves one node. Collective. */
HALOCLINE_API int HCL_Internode_cost(MPI_Comm comm_cart, int nneighbors, const int offsets[],
                                     const int64_t weights[], int64_t* total, int64_t* largest);

/* Pack: datatypes to contiguous memory and back.
 *
 * As MPI_Pack and MPI_Unpack, faster, and with MPI_Count where they have int, as MPI_Pack_c of MPI 4 has. The
 * packed form is the bytes of the typemap in its order and nothing else: no header, no padding (not inside
 * MPI_SHORT_INT and its like, either). On machines of one kind it is what MPI_Pack of Open MPI and of MPICH
 * writes, so that each can read the other's; still, MPI does not promise it.
 *
 * A datatype is compiled when it is used for the first time. What was compiled is kept as an attribute of the
 * datatype and of its duplicates, and goes when they are freed. The environment variable HALOCLINE_COMPILE
 * names the engine: kernels, llvm (code generated at once; kernels where its module is not installed), or
 * auto, the default: kernels, or generated code where halocline_reuse names so many packs that it pays. Why
 * there is none goes to stderr if HALOCLINE_LOG is set to anything but off.
 *
 * All functions are local. They check their arguments before they write a byte: counts and sizes that are
 * negative, a position outside the buffer and a buffer that is too small are MPI_ERR_ARG; a datatype that is
 * null or not committed is MPI_ERR_TYPE; one that this MPI itself cannot pack as it was constructed (a stride
 * of -1 byte in Open MPI) is MPI_ERR_UNSUPPORTED_OPERATION. Buffers may be MPI_BOTTOM if the datatype has
 * absolute addresses. */

/* Packs `incount` elements to outbuf + *position, where outbuf has outsize bytes, and moves *position past
 * them. */
HALOCLINE_API int HCL_Pack(const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf,
                           MPI_Count outsize, MPI_Count* position, MPI_Comm comm);

/* Unpacks `outcount` elements from inbuf + *position, where inbuf has insize bytes, and moves *position past
 * them. Bytes of outbuf between those of the typemap stay as they are. */
HALOCLINE_API int HCL_Unpack(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
                             MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm);

/* The bytes that HCL_Pack needs for `incount` elements: exactly these, not an upper bound. */
HALOCLINE_API int HCL_Pack_size(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size);

/* Compiles a committed datatype now instead of in its first HCL_Pack, and again if it was compiled before; no
 * other thread may use the datatype meanwhile. `info` may be MPI_INFO_NULL or hold the keys
 *   halocline_compile  the engine, as HALOCLINE_COMPILE
 *   halocline_reuse    how often it will be packed, about; auto then decides at once instead of counting */
HALOCLINE_API int HCL_Type_compile(MPI_Datatype datatype, MPI_Info info);

/* Many datatypes at once. A packer is compiled as one piece of code: all parts of all fields that go to a
 * neighbour, or to all neighbours. It is independent of the datatypes it was made from, which may be freed.
 */
typedef struct HCL_Packer_object* HCL_Packer;
/* No packer. */
#define HCL_PACKER_NULL ((HCL_Packer)0)

/* Elements of several datatypes, one part after the other in the packed form, in the order of the lists: part
 * i is counts[i] elements of datatypes[i], displacements[i] bytes from the buffer given later (or at that
 * address, if MPI_BOTTOM is given). The info is that of HCL_Type_compile. The caller frees the packer. */
HALOCLINE_API int HCL_Packer_create(int nparts, const MPI_Count counts[], const MPI_Aint displacements[],
                                    const MPI_Datatype datatypes[], MPI_Info info, HCL_Packer* packer);

/* The bytes of its packed form. */
HALOCLINE_API int HCL_Packer_size(HCL_Packer packer, MPI_Count* size);

/* As HCL_Pack. Threads may use one packer at the same time. */
HALOCLINE_API int HCL_Packer_pack(HCL_Packer packer, const void* inbuf, void* outbuf, MPI_Count outsize,
                                  MPI_Count* position);
/* As HCL_Unpack. Threads may use one packer at the same time. */
HALOCLINE_API int HCL_Packer_unpack(HCL_Packer packer, const void* inbuf, MPI_Count insize,
                                    MPI_Count* position, void* outbuf);

/* Frees the packer and sets it to HCL_PACKER_NULL. */
HALOCLINE_API int HCL_Packer_free(HCL_Packer* packer);

/* Exchange: blocks between the processes of a neighbourhood.
 *
 * A neighbourhood is an ordered list of offsets on a Cartesian communicator, the same on all its processes.
 * Offsets may repeat, be zero, and lead around periodic dimensions onto the same process; beyond an open
 * border there is nobody, and blocks for or from there are not touched.
 *
 * alltoall: block i of sendbuf goes to the process at +offset i, block i of recvbuf comes from the process at
 * -offset i. allgather: the one block of sendbuf goes to all of them. Block i must have as many bytes in
 * every process, sent and received; datatypes may differ. Buffers must not overlap.
 *
 * Calls that end in _init create a persistent request and are collective; HCL_Start, HCL_Test and HCL_Wait
 * are not. Several requests may be under way at once, and testing or waiting for any of them moves all. A
 * process that has started a request must come to HCL_Test or HCL_Wait without waiting for another process
 * first. Requests are to be freed before their communicator.
 *
 * Buffers may be MPI_BOTTOM with data at absolute addresses, and null where a count is 0. MPI_IN_PLACE and
 * other null pointers are refused (MPI_ERR_ARG).
 *
 * `info` may be MPI_INFO_NULL or hold keys, each of which can also be an environment variable (of the process
 * with the lowest rank in MPI_COMM_WORLD, but for HALOCLINE_COMPILE, which each process reads for itself):
 *   halocline_schedule  HALOCLINE_SCHEDULE  auto, direct, node, mixed, torus, torus-direct, basis
 *   halocline_wire      HALOCLINE_WIRE      auto, packed, datatype
 *   halocline_shared    HALOCLINE_SHARED    on, buffered, off: memory shared by the processes of a node
 *   halocline_compile   HALOCLINE_COMPILE   auto, kernels, llvm: what packs, as for HCL_Pack
 * and halocline_reuse, how often it will be started, about. */

/* The handle of an operation. */
typedef struct HCL_Request_object* HCL_Request;
/* No operation. */
#define HCL_REQUEST_NULL ((HCL_Request)0)

/* A duplicate of comm_cart that knows the neighbourhood: ndims integers for each of nneighbors offsets, one
 * behind the other. Collective; fails on all processes if they give different offsets. */
HALOCLINE_API int HCL_Neighborhood_create(MPI_Comm comm_cart, int nneighbors, const int offsets[],
                                          MPI_Comm* comm);

/* A persistent alltoall: blocks of one size, one behind the other. */
HALOCLINE_API int HCL_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                             void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                             MPI_Comm comm, MPI_Info info, HCL_Request* request);
/* A persistent alltoall: block by block a count and a displacement in elements. */
HALOCLINE_API int HCL_Neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[],
                                              const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                              const int recvcounts[], const MPI_Aint rdispls[],
                                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                              HCL_Request* request);
/* A persistent alltoall: block by block a count, a displacement in bytes and a datatype. */
HALOCLINE_API int HCL_Neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[],
                                              const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                              void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                              const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                              HCL_Request* request);
/* A persistent allgather: blocks of one size, one behind the other. */
HALOCLINE_API int HCL_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                              void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                              MPI_Comm comm, MPI_Info info, HCL_Request* request);
/* A persistent allgather: received block by block a count and a displacement in elements. */
HALOCLINE_API int HCL_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                               void* recvbuf, const int recvcounts[],
                                               const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                               MPI_Info info, HCL_Request* request);
/* A persistent allgather: received block by block a count, a displacement in bytes and a datatype. */
HALOCLINE_API int HCL_Neighbor_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                               void* recvbuf, const int recvcounts[],
                                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                               MPI_Comm comm, MPI_Info info, HCL_Request* request);

/* Operations in one call.
 *
 * A blocking operation costs as much as creating and starting; called again by all processes with the
 * arguments of one of the last calls, which the communicator keeps, a start and one small reduction; with
 * blocks of the sizes of the call before it, 128 KiB in all at most, a start and a copy, whatever buffers and
 * datatypes each process has. An error of one process is returned by all.
 *
 * An immediate operation is the same without waiting for the end; HCL_Test or HCL_Wait frees its request when
 * it is complete. The call itself may wait for the other processes to come to it. */

/* A blocking alltoall: blocks of one size, one behind the other. */
HALOCLINE_API int HCL_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                        void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
/* A blocking alltoall: block by block a count and a displacement in elements. */
HALOCLINE_API int HCL_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[],
                                         const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                         const int recvcounts[], const MPI_Aint rdispls[],
                                         MPI_Datatype recvtype, MPI_Comm comm);
/* A blocking alltoall: block by block a count, a displacement in bytes and a datatype. */
HALOCLINE_API int HCL_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[],
                                         const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                         void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                         const MPI_Datatype recvtypes[], MPI_Comm comm);
/* A blocking allgather: blocks of one size, one behind the other. */
HALOCLINE_API int HCL_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                         void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
/* A blocking allgather: received block by block a count and a displacement in elements. */
HALOCLINE_API int HCL_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                          void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                          MPI_Datatype recvtype, MPI_Comm comm);
/* A blocking allgather: received block by block a count, a displacement in bytes and a datatype. */
HALOCLINE_API int HCL_Neighbor_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                          void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                          const MPI_Datatype recvtypes[], MPI_Comm comm);

/* An immediate alltoall: blocks of one size, one behind the other. */
HALOCLINE_API int HCL_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                         void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                         HCL_Request* request);
/* An immediate alltoall: block by block a count and a displacement in elements. */
HALOCLINE_API int HCL_Ineighbor_alltoallv(const void* sendbuf, const int sendcounts[],
                                          const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                          const int recvcounts[], const MPI_Aint rdispls[],
                                          MPI_Datatype recvtype, MPI_Comm comm, HCL_Request* request);
/* An immediate alltoall: block by block a count, a displacement in bytes and a datatype. */
HALOCLINE_API int HCL_Ineighbor_alltoallw(const void* sendbuf, const int sendcounts[],
                                          const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                          void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                          const MPI_Datatype recvtypes[], MPI_Comm comm,
                                          HCL_Request* request);
/* An immediate allgather: blocks of one size, one behind the other. */
HALOCLINE_API int HCL_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                          void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                          HCL_Request* request);
/* An immediate allgather: received block by block a count and a displacement in elements. */
HALOCLINE_API int HCL_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                           void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                           MPI_Datatype recvtype, MPI_Comm comm, HCL_Request* request);
/* An immediate allgather: received block by block a count, a displacement in bytes and a datatype. */
HALOCLINE_API int HCL_Ineighbor_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                           void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                           const MPI_Datatype recvtypes[], MPI_Comm comm,
                                           HCL_Request* request);

/* Requests: operations that are under way, or can be.
 *
 * All functions are local. */

/* Starts a persistent request. It is under way from then on until HCL_Wait has returned or HCL_Test has told
 * so, whether data has come meanwhile or not; HCL_Start and HCL_Request_free fail with MPI_ERR_REQUEST until
 * then and change nothing. */
HALOCLINE_API int HCL_Start(HCL_Request* request);
/* Starts all of a list, or none if one of them is under way or in it twice. */
HALOCLINE_API int HCL_Startall(int count, HCL_Request requests[]);

/* Is it complete? Also true for HCL_REQUEST_NULL and for what was not started. While it is not, all requests
 * under way move on.
 */
HALOCLINE_API int HCL_Test(HCL_Request* request, int* flag);
/* Waits until it is complete: at once for HCL_REQUEST_NULL and for what was not started. */
HALOCLINE_API int HCL_Wait(HCL_Request* request);
/* HCL_Wait for each of a list. */
HALOCLINE_API int HCL_Waitall(int count, HCL_Request requests[]);

/* How its blocks get from node to node, as HCL_Halo_schedule tells it. */
HALOCLINE_API int HCL_Request_schedule(HCL_Request request, int size, char* text, int* length);

/* Frees a request that is not under way (MPI_ERR_REQUEST) and sets it to HCL_REQUEST_NULL. */
HALOCLINE_API int HCL_Request_free(HCL_Request* request);

/* Map: every task on the right node, for applications of any shape.
 *
 * The network is described as above; without, all nodes are equally far apart. */

/* Process r gives the coordinates of task r, which it has now (ndims of them), and the tasks it sends to:
 * neighbors and message sizes, which may be NULL for equal ones. It learns which task it should have instead:
 *   MPI_Comm_split(comm, 0, new_rank, &mapped)
 * makes a communicator in which rank t should do task t. If no process names neighbours, coordinates are
 * taken as they are; otherwise the orders of the dimensions are tried, each process its share, and the one
 * that wins is never worse than the tasks as they are. Collective. */
HALOCLINE_API int HCL_Task_map(MPI_Comm comm, int ndims, const double coordinates[], int nneighbors,
                               const int neighbors[], const double message_sizes[], MPI_Info info,
                               int* new_rank);

#ifdef __cplusplus
}
#endif

#endif
