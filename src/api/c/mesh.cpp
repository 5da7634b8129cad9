// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the mesh that a communicator knows.

#include "api/c/arguments.hpp"
#include "api/c/error.hpp"
#include "api/c/known_mesh.hpp"
#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/join.hpp"
#include "base/numbers.hpp"
#include "halocline/halocline.h"
#include "mpi/handles/comm.hpp"

namespace halocline::api {

std::shared_ptr<const mpi::CommMesh> known_mesh(MPI_Comm cart) {
  mpi::require_intracommunicator(cart);
  auto known = mpi::CommMeshes::find(cart);
  if (!known)
    fail(Fault::invalid_topology,
         "the communicator knows no mesh; HCL_Cart_mesh_create makes one that does, HCL_Cart_mesh_attach "
         "tells one to it");
  return known;
}

namespace {

mpi::CommMesh mesh_for(MPI_Comm cart, const int64_t* mesh, const int64_t* halo) {
  const Grid grid = mpi::grid_of(cart);
  const std::size_t dimensions = grid.dimensions();
  require_pointer(mesh, "mesh");
  Counts widths = halo == nullptr ? Counts(dimensions, 1) : Counts(halo, halo + dimensions);
  for (std::size_t d = 0; d < dimensions; ++d)
    if (widths[d] < 0)
      fail(Fault::invalid_dimensions, "a halo of ", widths[d], " points along dimension ", d);
  return {Decomposition(Mesh(Counts(mesh, mesh + dimensions), grid.periodicity()), grid), std::move(widths),
          std::nullopt};
}

void write(const Counts& values, int64_t* list) {
  if (list != nullptr) std::copy(values.begin(), values.end(), list);
}

/// Brings a coordinate into the mesh where it is periodic; false if it is beyond an open border.
bool wrap(const Mesh& mesh, Cell& point) {
  for (std::size_t d = 0; d < point.size(); ++d) {
    const Count extent = mesh.extents()[d];
    if (mesh.periodic(d)) point[d] = floor_modulo(point[d], extent);
    if (point[d] < 0 || point[d] >= extent) return false;
  }
  return true;
}

}  // namespace
}  // namespace halocline::api

using namespace halocline;       // NOLINT(google-build-using-namespace): the C functions cannot be inside
using namespace halocline::api;  // NOLINT(google-build-using-namespace)

int HCL_Cart_mesh_attach(MPI_Comm comm_cart, const int64_t mesh[], const int64_t halo[]) {
  return guarded(comm_cart, [&] {
    mpi::require_intracommunicator(comm_cart);
    mpi::CommMesh attached = mpi::agreed(
        comm_cart, [&] { return mesh_for(comm_cart, mesh, halo); },
        [](const mpi::CommMesh& own) {
          return mpi::fingerprint(own.decomposition.mesh().to_text() + " " + join(own.halo, ","));
        },
        "the mesh, or the widths of its halos,");
    mpi::CommMeshes::keep(comm_cart, std::make_shared<const mpi::CommMesh>(std::move(attached)));
  });
}

int HCL_Cart_mesh_get(MPI_Comm comm_cart, int maxdims, int64_t mesh[], int64_t halo[]) {
  return guarded(comm_cart, [&] {
    const auto known = known_mesh(comm_cart);
    require_room(known->halo.size(), maxdims);
    write(known->decomposition.mesh().extents(), mesh);
    write(known->halo, halo);
  });
}

int HCL_Cart_box(MPI_Comm comm_cart, int rank, int64_t first[], int64_t extents[]) {
  return guarded(comm_cart, [&] {
    const auto known = known_mesh(comm_cart);
    const Grid& grid = known->decomposition.grid();
    if (rank < 0 || rank >= grid.size())
      throw Error(Fault::mpi, concat("rank ", rank, " of a communicator of ", grid.size(), " processes"),
                  MPI_ERR_RANK);
    const Box box = known->decomposition.box(grid.cell(rank));
    write(box.first, first);
    write(box.extents, extents);
  });
}

int HCL_Cart_owner(MPI_Comm comm_cart, const int64_t point[], int* rank) {
  return guarded(comm_cart, [&] {
    const auto known = known_mesh(comm_cart);
    require_pointer(point, "point");
    require_pointer(rank, "rank");
    const Decomposition& decomposition = known->decomposition;
    Cell wrapped(point, point + known->halo.size());
    *rank = wrap(decomposition.mesh(), wrapped)
                ? to_int(decomposition.grid().index(decomposition.owner(wrapped)))
                : MPI_PROC_NULL;
  });
}
