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
 * the environment variable HALOCLINE_PLACE decides, and without that the best of all. */

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

#ifdef __cplusplus
}
#endif

#endif
