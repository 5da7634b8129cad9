// Our functions in place of MPI's. Each file of this folder that defines some of them says when it takes a
// call over and when it leaves it to the system.
#pragma once

#include <mpi.h>

namespace halocline::preload {

int cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm* cart);
int dims_create(int nnodes, int ndims, int dims[]);

}  // namespace halocline::preload
