// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the placement stage, under its own names and under those of the paper.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "halocline/halocline.h"
#include "halocline/mpi/cart.hpp"
#include "halocline/mpix.h"
#include "mpi/communicators/placed_cart.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"

#include <limits>

namespace halocline::api {
namespace {

Periodicity periodicity_of(std::size_t dimensions, const int* periods) {
  require_pointer(periods, "periods");
  return Periodicity(periods, periods + dimensions);
}

CartOptions options_of(int reorder, MPI_Info info) {
  CartOptions options;
  options.reorder = reorder != 0;
  options.info = info;
  return options;
}

mpi::GridRequest grid_arguments(int ndims, const int* dims, const int* periods, int nneighbors,
                                const int* offsets, const int64_t* weights) {
  const std::size_t dimensions = dimensions_of(ndims);
  require_pointer(dims, "dims");
  return {Grid(counts_of(dimensions, dims), periodicity_of(dimensions, periods)),
          stencil_of(dimensions, nneighbors, offsets, weights)};
}

/// Are the points of the first dimension those that lie side by side?
bool fortran_order(MPI_Info info) {
  const std::string order = mpi::info_value(info, settings::order.key).value_or("c");
  require(order == "c" || order == "fortran", settings::order.key, " is \"", order, "\"; it is c or fortran");
  return order == "fortran";
}

mpi::MeshRequest mesh_arguments(int ndims, const int64_t* mesh, const int64_t* halo, const int* periods,
                                int nneighbors, const int* offsets, const int64_t* weights, MPI_Info info,
                                const int* dims) {
  const std::size_t dimensions = dimensions_of(ndims);
  require_pointer(mesh, "mesh");
  require_pointer(dims, "dims");
  return {Mesh(Counts(mesh, mesh + dimensions), periodicity_of(dimensions, periods)),
          stencil_of(dimensions, nneighbors, offsets, weights),
          halo == nullptr ? Counts() : Counts(halo, halo + dimensions), counts_of(dimensions, dims),
          fortran_order(info)};
}

mpi::MeshRequest slab_arguments(MPI_Comm comm, int ndims, const int* dims, const int64_t* slabs,
                                const int64_t* halo, const int* periods, int nneighbors, const int* offsets,
                                const int64_t* weights) {
  const std::size_t dimensions = dimensions_of(ndims);
  require_pointer(dims, "dims");
  require_pointer(slabs, "slabs");
  const Grid grid(counts_of(dimensions, dims), periodicity_of(dimensions, periods));
  // Before the slabs are read: they are as many as the grid has.
  if (grid.size() != mpi::size(comm))
    fail(Fault::invalid_dimensions, "a mesh cut for a grid of ", grid.to_text(), " has ", grid.size(),
         " boxes; the communicator has ", mpi::size(comm), " processes");
  std::vector<Counts> lists;
  for (const Count extent : grid.extents()) {
    lists.emplace_back(slabs, slabs + extent);
    slabs += extent;
  }
  const Decomposition cut(grid, lists);
  return {cut.mesh(),
          stencil_of(dimensions, nneighbors, offsets, weights),
          halo == nullptr ? Counts() : Counts(halo, halo + dimensions),
          grid.extents(),
          false,
          cut};
}

/// An empty list is a mistake where the interface has no way to leave it out.
void require_stencil(const int* stencil, int k) {
  require(k >= 1, "a stencil of ", k, " neighbours; it needs at least one");
  require_pointer(stencil, "stencil");
}

std::size_t dimensions_of_cart(MPI_Comm cart) {
  mpi::require_intracommunicator(cart);
  int topology = MPI_UNDEFINED;
  int dimensions = 0;
  mpi::check(PMPI_Topo_test(cart, &topology), "MPI_Topo_test");
  if (topology != MPI_CART) fail(Fault::invalid_topology, "the communicator has no Cartesian topology");
  mpi::check(PMPI_Cartdim_get(cart, &dimensions), "MPI_Cartdim_get");
  return dimensions_of(dimensions);
}

InternodeCost cost_of(MPI_Comm cart, int nneighbors, const int* offsets, const int64_t* weights) {
  const Stencil stencil = agreed_arguments(
      cart, [&] { return stencil_of(dimensions_of_cart(cart), nneighbors, offsets, weights); });
  return internode_cost(cart, stencil);
}

int as_int(Count value) {
  require(value <= std::numeric_limits<int>::max(), "the cost ", value,
          " does not fit in an int; HCL_Internode_cost has 64 bits");
  return to_int(value);
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                    int nneighbors, const int offsets[], const int64_t weights[], MPI_Info info,
                    MPI_Comm* comm_cart) {
  return guarded(comm_old, [&] {
    const mpi::ReadGrid read = [&] {
      require_pointer(comm_cart, "comm_cart");
      return grid_arguments(ndims, dims, periods, nneighbors, offsets, weights);
    };
    *comm_cart = mpi::placed_cart(comm_old, read, options_of(reorder, info)).release();
  });
}

int HCL_Cart_mesh_create(MPI_Comm comm_old, int ndims, const int64_t mesh[], const int64_t halo[],
                         const int periods[], int reorder, int nneighbors, const int offsets[],
                         const int64_t weights[], MPI_Info info, int dims[], MPI_Comm* comm_cart) {
  return guarded(comm_old, [&] {
    const mpi::ReadMesh read = [&] {
      require_pointer(comm_cart, "comm_cart");
      return mesh_arguments(ndims, mesh, halo, periods, nneighbors, offsets, weights, info, dims);
    };
    Cart cart = mpi::placed_cart(comm_old, read, options_of(reorder, info));
    write_dims(cart.grid().extents(), dims);
    *comm_cart = cart.release();
  });
}

int HCL_Cart_slabs_create(MPI_Comm comm_old, int ndims, const int dims[], const int64_t slabs[],
                          const int64_t halo[], const int periods[], int reorder, int nneighbors,
                          const int offsets[], const int64_t weights[], MPI_Info info, MPI_Comm* comm_cart) {
  return guarded(comm_old, [&] {
    const mpi::ReadMesh read = [&] {
      require_pointer(comm_cart, "comm_cart");
      return slab_arguments(comm_old, ndims, dims, slabs, halo, periods, nneighbors, offsets, weights);
    };
    *comm_cart = mpi::placed_cart(comm_old, read, options_of(reorder, info)).release();
  });
}

int HCL_Internode_cost(MPI_Comm comm_cart, int nneighbors, const int offsets[], const int64_t weights[],
                       int64_t* total, int64_t* largest) {
  return guarded(comm_cart, [&] {
    const InternodeCost cost = cost_of(comm_cart, nneighbors, offsets, weights);
    if (total != nullptr) *total = cost.total;
    if (largest != nullptr) *largest = cost.largest;
  });
}

int MPIX_Cart_stencil_comm(MPI_Comm oldcomm, int ndims, const int dims[], const int periods[], int reorder,
                           const int stencil[], int k, MPI_Comm* cartcomm) {
  return guarded(oldcomm, [&] {
    const mpi::ReadGrid read = [&] {
      require_pointer(cartcomm, "cartcomm");
      require_stencil(stencil, k);
      return grid_arguments(ndims, dims, periods, k, stencil, nullptr);
    };
    *cartcomm = mpi::placed_cart(oldcomm, read, options_of(reorder, MPI_INFO_NULL)).release();
  });
}

int MPIX_Cart_comm_stencil(MPI_Comm oldcomm, int ndims, const int dims[], const int periods[], int reorder,
                           const int stencil[], int k, MPI_Comm* cartcomm) {
  const CalledAs called;
  return MPIX_Cart_stencil_comm(oldcomm, ndims, dims, periods, reorder, stencil, k, cartcomm);
}

int MPIX_Internode_cost(MPI_Comm cart_comm, int* total, int* max) {
  return guarded(cart_comm, [&] {
    const InternodeCost cost = cost_of(cart_comm, 0, HCL_STENCIL_NEAREST, nullptr);
    if (total != nullptr) *total = as_int(cost.total);
    if (max != nullptr) *max = as_int(cost.largest);
  });
}

int MPIX_Internode_cost_stencil(MPI_Comm cart_comm, int* total, int* max, const int stencil[], int k) {
  return guarded(cart_comm, [&] {
    (void)agreed_arguments(cart_comm, [&] {
      require_stencil(stencil, k);
      return 0;
    });
    const InternodeCost cost = cost_of(cart_comm, k, stencil, nullptr);
    if (total != nullptr) *total = as_int(cost.total);
    if (max != nullptr) *max = as_int(cost.largest);
  });
}
