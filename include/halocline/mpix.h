/* The names of the papers, for programs written to them. Each is the HCL_ function of the same purpose in
 * halocline.h, where it is described. */
#ifndef HALOCLINE_MPIX_H
#define HALOCLINE_MPIX_H

#include "halocline/halocline.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MPIX_WEIGHTS_EQUAL HCL_WEIGHTS_EQUAL
#define MPIX_COMM_TYPE_PACKAGE HCL_COMM_TYPE_PACKAGE
#define MPIX_COMM_TYPE_NUMA HCL_COMM_TYPE_NUMA
#define MPIX_COMM_TYPE_L3CACHE HCL_COMM_TYPE_L3CACHE

/* Niethammer and Rabenseifner, "Topology aware Cartesian grid mapping with MPI", 2018. */
HALOCLINE_API int MPIX_Dims_weighted_create(int nnodes, int ndims, const double dim_weights[], int dims[]);
HALOCLINE_API int MPIX_Dims_ml_create(int nnodes, int ndims, const double dim_weights[], int nlevels,
                                      const int sizes[], int dims_ml[]);
HALOCLINE_API int MPIX_Cart_weighted_create(MPI_Comm comm_old, int ndims, const double dim_weights[],
                                            const int periods[], MPI_Info info, int dims[],
                                            MPI_Comm* comm_cart);
HALOCLINE_API int MPIX_Cart_ml_create_from_types(MPI_Comm comm_old, int ntype_levels, const int type_levels[],
                                                 int ndims, const double dim_weights[], const int periods[],
                                                 MPI_Info info, int dims[], MPI_Comm* comm_cart);
HALOCLINE_API int MPIX_Cart_ml_create_from_comms(int nlevels, const MPI_Comm level_comms[], int ndims,
                                                 const double dim_weights[], const int periods[],
                                                 MPI_Info info, int dims[], MPI_Comm* comm_cart);

/* Hunold, von Kirchbach, Lehr, Schulz and Traeff, "Efficient Process-to-Node Mapping Algorithms for Stencil
 * Computations", 2020, and the names of its authors' library. */
HALOCLINE_API int MPIX_Cart_stencil_comm(MPI_Comm oldcomm, int ndims, const int dims[], const int periods[],
                                         int reorder, const int stencil[], int k, MPI_Comm* cartcomm);
HALOCLINE_API int MPIX_Cart_comm_stencil(MPI_Comm oldcomm, int ndims, const int dims[], const int periods[],
                                         int reorder, const int stencil[], int k, MPI_Comm* cartcomm);
HALOCLINE_API int MPIX_Internode_cost(MPI_Comm cart_comm, int* total, int* max);
HALOCLINE_API int MPIX_Internode_cost_stencil(MPI_Comm cart_comm, int* total, int* max, const int stencil[],
                                              int k);

#ifdef __cplusplus
}
#endif

#endif
