// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the shape stage, under its own names and under those of the paper.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "base/scanner.hpp"
#include "base/settings.hpp"
#include "halocline/halocline.h"
#include "halocline/mpix.h"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/communicators/shaped_cart.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"
#include "plan/placement/shape_choice.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace halocline::api {
namespace {

void require_processes(int nprocs) {
  if (nprocs < 1) fail(Fault::invalid_dimensions, "a grid of ", nprocs, " processes; it needs at least one");
}

Weights weights_of(std::size_t dimensions, const double* dim_weights) {
  if (dim_weights == nullptr) return Weights::equal(dimensions);
  return Weights(std::vector<double>(dim_weights, dim_weights + dimensions));
}

std::vector<double> parse_ratios(const std::string& text) {
  Scanner scan("value of halocline_ratios", text, "7,1");
  std::vector<double> ratios;
  do ratios.push_back(scan.number());
  while (scan.accept(","));
  scan.expect_end();
  return ratios;
}

mpi::ShapeRequest request_of(int ndims, const double* dim_weights, const int* periods, MPI_Info info,
                             const int* dims) {
  require_pointer(periods, "periods");
  require_pointer(dims, "dims");
  const std::size_t dimensions = dimensions_of(ndims);
  mpi::ShapeRequest request{weights_of(dimensions, dim_weights), counts_of(dimensions, dims),
                            Periodicity(periods, periods + dimensions)};
  if (const auto how = mpi::info_value(info, settings::shape.key)) {
    require(*how == "levels" || *how == "joint", settings::shape.key, " is \"", *how,
            "\"; it is levels or joint");
    request.how.joint = *how == "joint";
  }
  request.algorithm = mpi::info_value(info, settings::place.key).value_or("");
  if (const auto ratios = mpi::info_value(info, settings::ratios.key))
    request.how.ratios = parse_ratios(*ratios);
  return request;
}

void give(mpi::ShapedCart cart, int* dims, MPI_Comm* comm_cart) {
  write_dims(cart.dims, dims);
  *comm_cart = cart.comm.release();
}

/// The levels inside a node that the types stand for.
std::vector<std::string> level_names(int ntype_levels, const int* type_levels) {
  require(ntype_levels >= 1, ntype_levels, " levels; the first is MPI_COMM_TYPE_SHARED");
  require_pointer(type_levels, "type_levels");
  require(type_levels[0] == MPI_COMM_TYPE_SHARED, "the first level is the type ", type_levels[0],
          "; it must be MPI_COMM_TYPE_SHARED");
  std::vector<std::string> names;
  for (int l = 1; l < ntype_levels; ++l) {
    switch (type_levels[l]) {
      case HCL_COMM_TYPE_PACKAGE:
        names.emplace_back("package");
        break;
      case HCL_COMM_TYPE_NUMA:
        names.emplace_back("numa");
        break;
      case HCL_COMM_TYPE_L3CACHE:
        names.emplace_back("l3");
        break;
      default:
        fail(Fault::invalid_argument, "level ", l, " is the unknown type ", type_levels[l],
             "; inside a node there are HCL_COMM_TYPE_PACKAGE, _NUMA and _L3CACHE");
    }
  }
  return names;
}

Counts level_sizes(int nprocs, int nlevels, const int* sizes) {
  require(nlevels >= 1, nlevels, " levels; a machine has at least one");
  require_pointer(sizes, "sizes");
  Counts levels = counts_of(to_size(nlevels), sizes);
  if (std::any_of(levels.begin(), levels.end(), [](Count size) { return size < 1; }) ||
      checked_product(levels) != nprocs)
    fail(Fault::invalid_dimensions, "levels of ", join(levels, " x "), " are not ", nprocs, " processes");
  return levels;
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Dims_weighted_create(int nprocs, int ndims, const double dim_weights[], int dims[]) {
  return guarded(MPI_COMM_WORLD, [&] {
    const std::size_t dimensions = dimensions_of(ndims);
    require_processes(nprocs);
    require_pointer(dims, "dims");
    write_dims(plan::choose_dims(nprocs, weights_of(dimensions, dim_weights), counts_of(dimensions, dims)),
               dims);
  });
}

int HCL_Dims_mesh_create(int nprocs, int ndims, const int64_t mesh[], const int64_t halo[], int dims[]) {
  return guarded(MPI_COMM_WORLD, [&] {
    const std::size_t dimensions = dimensions_of(ndims);
    require_processes(nprocs);
    require_pointer(mesh, "mesh");
    require_pointer(dims, "dims");
    const Counts widths = halo == nullptr ? Counts() : Counts(halo, halo + dimensions);
    shape::Problem problem =
        shape::Problem::for_mesh({nprocs}, Mesh(Counts(mesh, mesh + dimensions)), widths);
    problem.fixed = counts_of(dimensions, dims);
    write_dims(plan::choose_shape(problem).shape.dims(), dims);
  });
}

int HCL_Dims_ml_create(int nprocs, int ndims, const double dim_weights[], int nlevels, const int sizes[],
                       int dims_ml[]) {
  return guarded(MPI_COMM_WORLD, [&] {
    const std::size_t dimensions = dimensions_of(ndims);
    require_processes(nprocs);
    require_pointer(dims_ml, "dims_ml");
    const shape::Problem problem{
        level_sizes(nprocs, nlevels, sizes), weights_of(dimensions, dim_weights), {}, {}, {}};
    const Shape chosen = plan::choose_shape(problem).shape;
    for (std::size_t d = 0; d < dimensions; ++d)
      for (std::size_t l = 0; l < chosen.levels.size(); ++l)
        dims_ml[d * chosen.levels.size() + l] = to_int(chosen.levels[l][d]);
  });
}

int HCL_Cart_weighted_create(MPI_Comm comm_old, int ndims, const double dim_weights[], const int periods[],
                             MPI_Info info, int dims[], MPI_Comm* comm_cart) {
  const CalledAs called;
  const int nodes = MPI_COMM_TYPE_SHARED;
  return HCL_Cart_ml_create_from_types(comm_old, 1, &nodes, ndims, dim_weights, periods, info, dims,
                                       comm_cart);
}

int HCL_Cart_ml_create_from_types(MPI_Comm comm_old, int ntype_levels, const int type_levels[], int ndims,
                                  const double dim_weights[], const int periods[], MPI_Info info, int dims[],
                                  MPI_Comm* comm_cart) {
  return guarded(comm_old, [&] {
    std::vector<std::string> levels;
    const mpi::ShapeRequest request = agreed_arguments(comm_old, [&] {
      require_pointer(comm_cart, "comm_cart");
      levels = level_names(ntype_levels, type_levels);
      return request_of(ndims, dim_weights, periods, info, dims);
    });
    give(mpi::shaped_cart(comm_old, levels, request), dims, comm_cart);
  });
}

int HCL_Cart_ml_create_from_comms(int nlevels, const MPI_Comm level_comms[], int ndims,
                                  const double dim_weights[], const int periods[], MPI_Info info, int dims[],
                                  MPI_Comm* comm_cart) {
  const bool has_levels = nlevels >= 1 && level_comms != nullptr;
  return guarded(has_levels ? level_comms[0] : MPI_COMM_WORLD, [&] {
    require_pointer(level_comms, "level_comms");
    require(has_levels, nlevels, " levels; the first communicator has all processes");
    const mpi::ShapeRequest request = agreed_arguments(level_comms[0], [&] {
      require_pointer(comm_cart, "comm_cart");
      for (int l = 1; l < nlevels; ++l) mpi::require_intracommunicator(level_comms[l]);
      return request_of(ndims, dim_weights, periods, info, dims);
    });
    give(mpi::shaped_cart({level_comms, to_size(nlevels)}, request), dims, comm_cart);
  });
}

int MPIX_Dims_weighted_create(int nnodes, int ndims, const double dim_weights[], int dims[]) {
  const CalledAs called;
  return HCL_Dims_weighted_create(nnodes, ndims, dim_weights, dims);
}

int MPIX_Dims_ml_create(int nnodes, int ndims, const double dim_weights[], int nlevels, const int sizes[],
                        int dims_ml[]) {
  const CalledAs called;
  return HCL_Dims_ml_create(nnodes, ndims, dim_weights, nlevels, sizes, dims_ml);
}

int MPIX_Cart_weighted_create(MPI_Comm comm_old, int ndims, const double dim_weights[], const int periods[],
                              MPI_Info info, int dims[], MPI_Comm* comm_cart) {
  const CalledAs called;
  return HCL_Cart_weighted_create(comm_old, ndims, dim_weights, periods, info, dims, comm_cart);
}

int MPIX_Cart_ml_create_from_types(MPI_Comm comm_old, int ntype_levels, const int type_levels[], int ndims,
                                   const double dim_weights[], const int periods[], MPI_Info info, int dims[],
                                   MPI_Comm* comm_cart) {
  const CalledAs called;
  return HCL_Cart_ml_create_from_types(comm_old, ntype_levels, type_levels, ndims, dim_weights, periods, info,
                                       dims, comm_cart);
}

int MPIX_Cart_ml_create_from_comms(int nlevels, const MPI_Comm level_comms[], int ndims,
                                   const double dim_weights[], const int periods[], MPI_Info info, int dims[],
                                   MPI_Comm* comm_cart) {
  const CalledAs called;
  return HCL_Cart_ml_create_from_comms(nlevels, level_comms, ndims, dim_weights, periods, info, dims,
                                       comm_cart);
}
