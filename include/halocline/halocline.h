/* Halocline for C programs: include this.
 *
 * Every function follows MPI's conventions: it returns MPI_SUCCESS or an error code, takes what goes in
 * before what comes out, and calls the error handler of its communicator (of MPI_COMM_WORLD where it has
 * none) when it fails. Error classes are MPI's own: MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_TOPOLOGY,
 * MPI_ERR_TYPE, MPI_ERR_COMM. A collective function fails on all processes alike, or on none. */
#ifndef HALOCLINE_H
#define HALOCLINE_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Weights that are the same for every dimension. */
#define HCL_WEIGHTS_EQUAL ((const double*)0)

/* The text of an error code: what Halocline said last if it is one of its own, otherwise MPI's. `string` has
 * room for MPI_MAX_ERROR_STRING characters. MPICH 4.0 cannot keep the text of a code that belongs to one of
 * its own classes; there this is the only way to read it. */
int HCL_Error_string(int errorcode, char* string, int* resultlen);

/* ---- Shape: the process grid that fits the mesh and the machine
 * --------------------------------------------
 *
 * Entries of dims that are positive on entry stay; those that are 0 are chosen. A dimension's weight says
 * what each part along it adds to the cost: halo width / mesh extent. Ties are broken as MPI_Dims_create
 * should: the most even grid wins. */

/* The grid of nprocs processes with the least sum of dim_weights[i] * dims[i]. */
int HCL_Dims_weighted_create(int nprocs, int ndims, const double dim_weights[], int dims[]);

/* The same for a mesh and halos of the given widths (NULL: 1 everywhere), exactly; no dimension is cut into
 * more parts than its halos leave room for. */
int HCL_Dims_mesh_create(int nprocs, int ndims, const int64_t mesh[], const int64_t halo[], int dims[]);

/* The factors of each level of an even machine, sizes[0] groups (nodes, say) of sizes[1] groups ... of
 * sizes[nlevels - 1] processes: dims_ml[i * nlevels + l] is the factor of level l in dimension i. The product
 * of the sizes must be nprocs. */
int HCL_Dims_ml_create(int nprocs, int ndims, const double dim_weights[], int nlevels, const int sizes[],
                       int dims_ml[]);

/* A Cartesian communicator over all processes of comm_old, whose grid and numbering fit the nodes: each node
 * gets a compact part of the grid. Nodes of different sizes are served, too. `info` may be MPI_INFO_NULL or
 * hold the keys
 *   halocline_shape   "levels" (one level after the other, the default) or "joint" (all at once)
 *   halocline_ratios  cost ratios of the levels for "joint", outermost first: "7,1"
 * The cartesian communicator is new; the caller frees it. Collective. */
int HCL_Cart_weighted_create(MPI_Comm comm_old, int ndims, const double dim_weights[], const int periods[],
                             MPI_Info info, int dims[], MPI_Comm* comm_cart);

/* Levels that MPI has no split type for. They are found with hwloc, where processes are bound. */
#define HCL_COMM_TYPE_PACKAGE 0x48434c01
#define HCL_COMM_TYPE_NUMA 0x48434c02
#define HCL_COMM_TYPE_L3CACHE 0x48434c03

/* The same with the levels named: type_levels are MPI_COMM_TYPE_SHARED, then any of the above, outermost
 * first. */
int HCL_Cart_ml_create_from_types(MPI_Comm comm_old, int ntype_levels, const int type_levels[], int ndims,
                                  const double dim_weights[], const int periods[], MPI_Info info, int dims[],
                                  MPI_Comm* comm_cart);

/* The same with the levels given as communicators: level_comms[0] has all processes, each further one those
 * of the group that the calling process is in. All groups of a level must be of one size. */
int HCL_Cart_ml_create_from_comms(int nlevels, const MPI_Comm level_comms[], int ndims,
                                  const double dim_weights[], const int periods[], MPI_Info info, int dims[],
                                  MPI_Comm* comm_cart);

/* ---- Place: every process in the right cell
 * ------------------------------------------------------------------
 *
 * A stencil is a list of offsets between cells, ndims integers each, one behind the other; weights (bytes,
 * say) are one for each offset, or NULL for ones. `info` may be MPI_INFO_NULL or hold the key
 * halocline_place: blocked, random, nodecart, hyperplane, kd-tree, strips, optimal-strips or best. Without it
 * the environment variable HALOCLINE_PLACE decides, and without that the best of all.
 *
 * Where the network between the nodes is described, nodes that are alike also change places so that messages
 * travel less far; what crosses between nodes stays the same. It is described by keys of `info`, or else by
 * the environment variables of the same names (HALOCLINE_NETWORK, ...) on rank 0:
 *
 *   halocline_network     the network: "torus:25x16x24", "fat-tree:12x18", "dragonfly:9x4x2", ... or "none"
 *
 *   halocline_allocation  a file with a line for each node: its coordinates in the network, behind its host's
 *                         name ("n17 3 0 5"), or without names in the order of the nodes' lowest ranks
 *
 *   halocline_mapping     how nodes are mapped: z2_1 (the default), z2_2 or z2_3
 *
 * Rank 0 reads the file. What was read is remembered on the communicator. */

/* The stencil {+-1 along each dimension}; the number of neighbours is then ignored. */
#define HCL_STENCIL_NEAREST ((const int*)0)

/* As MPI_Cart_create, but with `reorder` the processes are placed so that little is sent between nodes,
 * however the launcher placed the ranks of comm_old. If the grid has fewer cells than comm_old has processes,
 * those left over get MPI_COMM_NULL. Collective. */
int HCL_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                    int nneighbors, const int offsets[], const int64_t weights[], MPI_Info info,
                    MPI_Comm* comm_cart);

/* The same for a mesh with halos of the given widths (NULL: 1 everywhere): the grid is chosen, too, together
 * with the placement. Positive entries of dims stay, the others are filled in. All processes take part.
 * Collective. */
int HCL_Cart_mesh_create(MPI_Comm comm_old, int ndims, const int64_t mesh[], const int64_t halo[],
                         const int periods[], int reorder, int nneighbors, const int offsets[],
                         const int64_t weights[], MPI_Info info, int dims[], MPI_Comm* comm_cart);

/* What crosses between nodes when the processes of a Cartesian communicator talk along a stencil: in all, and
 * the most that leaves one node. Collective. */
int HCL_Internode_cost(MPI_Comm comm_cart, int nneighbors, const int offsets[], const int64_t weights[],
                       int64_t* total, int64_t* largest);

/* ---- Map: every task on the right node, for applications of any shape
 * ----------------------------------------
 *
 * Process r gives the coordinates of task r, which it has now (ndims of them), and the tasks it sends to:
 * neighbors and message sizes, which may be NULL for equal ones. It learns which task it should have instead:
 *   MPI_Comm_split(comm, 0, new_rank, &mapped)
 * makes a communicator in which rank t should do task t. The network is described as above; without, all
 * nodes are equally far apart. If no process names neighbours, coordinates are taken as they are; otherwise
 * the orders of the dimensions are tried, each process its share, and the one that wins is never worse than
 * the tasks as they are. Collective. */
int HCL_Task_map(MPI_Comm comm, int ndims, const double coordinates[], int nneighbors, const int neighbors[],
                 const double message_sizes[], MPI_Info info, int* new_rank);

#ifdef __cplusplus
}
#endif

#endif
