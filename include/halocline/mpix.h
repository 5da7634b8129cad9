/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the papers, for programs written to them. Each is the HCL_ function of the same purpose in
 * halocline.h, where it is described. */
#ifndef HALOCLINE_MPIX_H
#define HALOCLINE_MPIX_H

#include "halocline/halocline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* HCL_WEIGHTS_EQUAL. */
#define MPIX_WEIGHTS_EQUAL HCL_WEIGHTS_EQUAL
/* HCL_COMM_TYPE_PACKAGE. */
#define MPIX_COMM_TYPE_PACKAGE HCL_COMM_TYPE_PACKAGE
/* HCL_COMM_TYPE_NUMA. */
#define MPIX_COMM_TYPE_NUMA HCL_COMM_TYPE_NUMA
/* HCL_COMM_TYPE_L3CACHE. */
#define MPIX_COMM_TYPE_L3CACHE HCL_COMM_TYPE_L3CACHE

/* Shape.
 *
 * Niethammer and Rabenseifner, "Topology aware Cartesian grid mapping with MPI", 2018. */

/* HCL_Dims_weighted_create. */
HALOCLINE_API int MPIX_Dims_weighted_create(int nnodes, int ndims, const double dim_weights[], int dims[]);
/* HCL_Dims_ml_create. */
HALOCLINE_API int MPIX_Dims_ml_create(int nnodes, int ndims, const double dim_weights[], int nlevels,
                                      const int sizes[], int dims_ml[]);
/* HCL_Cart_weighted_create. */
HALOCLINE_API int MPIX_Cart_weighted_create(MPI_Comm comm_old, int ndims, const double dim_weights[],
                                            const int periods[], MPI_Info info, int dims[],
                                            MPI_Comm* comm_cart);
/* HCL_Cart_ml_create_from_types. */
HALOCLINE_API int MPIX_Cart_ml_create_from_types(MPI_Comm comm_old, int ntype_levels, const int type_levels[],
                                                 int ndims, const double dim_weights[], const int periods[],
                                                 MPI_Info info, int dims[], MPI_Comm* comm_cart);
/* HCL_Cart_ml_create_from_comms. */
HALOCLINE_API int MPIX_Cart_ml_create_from_comms(int nlevels, const MPI_Comm level_comms[], int ndims,
                                                 const double dim_weights[], const int periods[],
                                                 MPI_Info info, int dims[], MPI_Comm* comm_cart);

/* Place.
 *
 * Hunold, von Kirchbach, Lehr, Schulz and Traeff, "Efficient Process-to-Node Mapping Algorithms for Stencil
 * Computations", 2020, and the names of its authors' library. */

/* HCL_Cart_create with a stencil of k offsets and without weights. */
HALOCLINE_API int MPIX_Cart_stencil_comm(MPI_Comm oldcomm, int ndims, const int dims[], const int periods[],
                                         int reorder, const int stencil[], int k, MPI_Comm* cartcomm);
/* MPIX_Cart_stencil_comm. */
HALOCLINE_API int MPIX_Cart_comm_stencil(MPI_Comm oldcomm, int ndims, const int dims[], const int periods[],
                                         int reorder, const int stencil[], int k, MPI_Comm* cartcomm);
/* HCL_Internode_cost of the stencil HCL_STENCIL_NEAREST. */
HALOCLINE_API int MPIX_Internode_cost(MPI_Comm cart_comm, int* total, int* max);
/* HCL_Internode_cost of a stencil of k offsets. */
HALOCLINE_API int MPIX_Internode_cost_stencil(MPI_Comm cart_comm, int* total, int* max, const int stencil[],
                                              int k);

#ifdef __cplusplus
}
#endif

#endif
