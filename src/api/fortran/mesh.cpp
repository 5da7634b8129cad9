// SPDX-License-Identifier: BSD-3-Clause
// Communicators for meshes, and the meshes they know, for the Fortran module. Points are counted from 1.

#include "api/fortran/descriptors.hpp"
#include "api/fortran/handles.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/comm.hpp"
#include "mpi/handles/handle.hpp"
#include "mpi/settings/info.hpp"

#include <numeric>

namespace halocline::api {
namespace {

using Sizes = std::vector<std::int64_t>;

/// The keys of the caller, and the order of Fortran unless they name one.
mpi::Info with_order(MPI_Info info) {
  mpi::Info copy;
  if (info == MPI_INFO_NULL)
    HALOCLINE_MPI(Info_create, copy.put());
  else
    HALOCLINE_MPI(Info_dup, info, copy.put());
  if (!mpi::info_value(info, settings::order.key))
    HALOCLINE_MPI(Info_set, copy.get(), settings::order.key, "fortran");
  return copy;
}

struct MeshCall {
  Sizes mesh, halo, weights;  ///< Or slabs in place of a mesh.
  std::vector<int> periods, offsets, dims;
  mpi::Info info;
  int neighbours = 0;
};

Sizes optional_sizes(const CFI_cdesc_t* list, std::size_t dimensions, const char* name) {
  return list == nullptr ? Sizes() : list_of<std::int64_t>(*list, dimensions, name);
}

/// The stencil and the widths alone.
MeshCall neighbours_of(const CFI_cdesc_t* stencil, const CFI_cdesc_t* weights, const CFI_cdesc_t* halo,
                       std::size_t dimensions) {
  MeshCall call;
  call.halo = optional_sizes(halo, dimensions, "halo");
  if (stencil != nullptr) {
    call.offsets = columns_of(*stencil, dimensions, "stencil");
    call.neighbours = to_int(stencil->dim[1].extent);
  }
  if (weights != nullptr) call.weights = list_of<std::int64_t>(*weights, to_size(call.neighbours), "weights");
  return call;
}

std::size_t dimensions_known(MPI_Comm cart) { return mpi::grid_of(cart).dimensions(); }

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

extern "C" {
#pragma GCC visibility push(default)

void halocline_f_cart_mesh_create(const FortranHandle* comm_old, const CFI_cdesc_t* mesh,
                                  const CFI_cdesc_t* periods, FortranHandle* comm_cart,
                                  const CFI_cdesc_t* dims, const CFI_cdesc_t* halo,
                                  const CFI_cdesc_t* stencil, const CFI_cdesc_t* weights, const int* reorder,
                                  const FortranHandle* info, int* ierror) {
  const CalledAs called("HCL_Cart_mesh_create");
  MPI_Comm comm = comm_of(comm_old);
  const auto read = [&] {
    const std::size_t dimensions = length_of(*mesh);
    MeshCall call = neighbours_of(stencil, weights, halo, dimensions);
    call.mesh = list_of<std::int64_t>(*mesh, dimensions, "mesh");
    call.periods = list_of<int>(*periods, dimensions, "periods");
    call.dims = dims != nullptr ? list_of<int>(*dims, dimensions, "dims") : std::vector<int>(dimensions);
    call.info = with_order(info_of(info));
    return call;
  };
  comm_cart->value = PMPI_Comm_c2f(MPI_COMM_NULL);
  agree_and_call(comm, ierror, read, [&](MeshCall call) {
    MPI_Comm made = MPI_COMM_NULL;
    const int code =
        HCL_Cart_mesh_create(comm, to_int(call.mesh.size()), call.mesh.data(), data_or_null(call.halo),
                             call.periods.data(), *reorder, call.neighbours, data_or_null(call.offsets),
                             data_or_null(call.weights), call.info.get(), call.dims.data(), &made);
    if (code != MPI_SUCCESS) return code;
    comm_cart->value = PMPI_Comm_c2f(made);
    write_list(Sizes(call.dims.begin(), call.dims.end()), dims, "dims");
    return MPI_SUCCESS;
  });
}

void halocline_f_cart_slabs_create(const FortranHandle* comm_old, const CFI_cdesc_t* dims,
                                   const CFI_cdesc_t* slabs, const CFI_cdesc_t* periods,
                                   FortranHandle* comm_cart, const CFI_cdesc_t* halo,
                                   const CFI_cdesc_t* stencil, const CFI_cdesc_t* weights, const int* reorder,
                                   const FortranHandle* info, int* ierror) {
  const CalledAs called("HCL_Cart_slabs_create");
  MPI_Comm comm = comm_of(comm_old);
  const auto read = [&] {
    const std::size_t dimensions = length_of(*dims);
    MeshCall call = neighbours_of(stencil, weights, halo, dimensions);
    call.dims = list_of<int>(*dims, dimensions, "dims");
    call.periods = list_of<int>(*periods, dimensions, "periods");
    const Count listed = std::accumulate(call.dims.begin(), call.dims.end(), Count{0});
    if (to_count(length_of(*slabs)) != listed)
      fail(Fault::invalid_dimensions, "the argument slabs has ", length_of(*slabs), " entries; dims name ",
           listed, " slabs");
    call.mesh = list_of<std::int64_t>(*slabs, length_of(*slabs), "slabs");
    return call;
  };
  comm_cart->value = PMPI_Comm_c2f(MPI_COMM_NULL);
  agree_and_call(comm, ierror, read, [&](const MeshCall& call) {
    MPI_Comm made = MPI_COMM_NULL;
    const int code =
        HCL_Cart_slabs_create(comm, to_int(call.dims.size()), call.dims.data(), call.mesh.data(),
                              data_or_null(call.halo), call.periods.data(), *reorder, call.neighbours,
                              data_or_null(call.offsets), data_or_null(call.weights), info_of(info), &made);
    if (code == MPI_SUCCESS) comm_cart->value = PMPI_Comm_c2f(made);
    return code;
  });
}

void halocline_f_cart_mesh_attach(const FortranHandle* comm_cart, const CFI_cdesc_t* mesh,
                                  const CFI_cdesc_t* halo, int* ierror) {
  const CalledAs called("HCL_Cart_mesh_attach");
  MPI_Comm cart = comm_of(comm_cart);
  struct MeshSizes {
    Sizes points, halo;
  };
  const auto read = [&] {
    const std::size_t dimensions = dimensions_known(cart);
    return MeshSizes{list_of<std::int64_t>(*mesh, dimensions, "mesh"),
                     optional_sizes(halo, dimensions, "halo")};
  };
  agree_and_call(cart, ierror, read, [&](const MeshSizes& known) {
    return HCL_Cart_mesh_attach(cart, known.points.data(), data_or_null(known.halo));
  });
}

void halocline_f_cart_mesh_get(const FortranHandle* comm_cart, const CFI_cdesc_t* mesh,
                               const CFI_cdesc_t* halo, int* ierror) {
  const CalledAs called("HCL_Cart_mesh_get");
  MPI_Comm cart = comm_of(comm_cart);
  const auto read = [&] {
    mpi::require_intracommunicator(cart);
    return dimensions_known(cart);
  };
  read_and_call(cart, ierror, read, [&](std::size_t dimensions) {
    Sizes points(dimensions), widths(dimensions);
    const int code = HCL_Cart_mesh_get(cart, to_int(dimensions), points.data(), widths.data());
    if (code != MPI_SUCCESS) return code;
    write_list(points, mesh, "mesh");
    write_list(widths, halo, "halo");
    return MPI_SUCCESS;
  });
}

void halocline_f_cart_box(const FortranHandle* comm_cart, const CFI_cdesc_t* first,
                          const CFI_cdesc_t* extents, const int* rank, int* ierror) {
  const CalledAs called("HCL_Cart_box");
  MPI_Comm cart = comm_of(comm_cart);
  const auto read = [&] {
    mpi::require_intracommunicator(cart);
    return rank != nullptr ? *rank : mpi::rank(cart);
  };
  read_and_call(cart, ierror, read, [&](int whose) {
    const std::size_t dimensions = dimensions_known(cart);
    Sizes begin(dimensions), points(dimensions);
    const int code = HCL_Cart_box(cart, whose, begin.data(), points.data());
    if (code != MPI_SUCCESS) return code;
    for (std::int64_t& coordinate : begin) ++coordinate;
    write_list(begin, first, "first");
    write_list(points, extents, "extents");
    return MPI_SUCCESS;
  });
}

void halocline_f_cart_owner(const FortranHandle* comm_cart, const CFI_cdesc_t* point, int* rank,
                            int* ierror) {
  const CalledAs called("HCL_Cart_owner");
  MPI_Comm cart = comm_of(comm_cart);
  const auto read = [&] {
    mpi::require_intracommunicator(cart);
    Sizes from_zero = list_of<std::int64_t>(*point, dimensions_known(cart), "point");
    for (std::int64_t& coordinate : from_zero) coordinate = checked_subtract(coordinate, 1);
    return from_zero;
  };
  read_and_call(cart, ierror, read,
                [&](const Sizes& from_zero) { return HCL_Cart_owner(cart, from_zero.data(), rank); });
}

HALOCLINE_FORTRAN_HANDLES(cart_mesh_create);
HALOCLINE_FORTRAN_HANDLES(cart_slabs_create);
HALOCLINE_FORTRAN_TYPE(cart_mesh_attach, int32);
HALOCLINE_FORTRAN_TYPE(cart_mesh_attach, int64);
HALOCLINE_FORTRAN_TYPE(cart_mesh_get, int32);
HALOCLINE_FORTRAN_TYPE(cart_mesh_get, int64);
HALOCLINE_FORTRAN_TYPE(cart_box, int32);
HALOCLINE_FORTRAN_TYPE(cart_box, int64);
HALOCLINE_FORTRAN_TYPE(cart_owner, int32);
HALOCLINE_FORTRAN_TYPE(cart_owner, int64);

#pragma GCC visibility pop
}  // extern "C"
