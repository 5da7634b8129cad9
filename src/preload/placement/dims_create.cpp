// SPDX-License-Identifier: BSD-3-Clause
// MPI_Dims_create for a mesh that the user names in HALOCLINE_MESH, where rank 0 is; everybody else gets
// exactly the system's answer.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "halocline/describe/mesh.hpp"
#include "plan/placement/shape_choice.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/settings.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

#include <algorithm>
#include <limits>

namespace halocline::preload {
namespace {

bool sensible(int nnodes, int ndims, const int* dims) {
  return nnodes >= 1 && ndims >= 1 && dims != nullptr &&
         std::all_of(dims, dims + ndims, [](int dim) { return dim >= 0; });
}

/// Throws if the mesh has no grid of so many processes, or cannot be read.
Counts chosen(const Mesh& mesh, int nnodes, int ndims, const int* dims) {
  shape::Problem problem = shape::Problem::for_mesh({nnodes}, mesh, {});
  problem.fixed = Counts(dims, dims + ndims);
  return plan::choose_shape(problem).shape.dims();
}

}  // namespace

int dims_create(int nnodes, int ndims, int dims[]) {
  static Tally& tally = tally_of("MPI_Dims_create");
  const auto system = [&](const char* why) {
    tally.leave(why);
    return HALOCLINE_SYSTEM(Dims_create)(nnodes, ndims, dims);
  };
  const std::string& text = mesh_of_first_rank();
  if (text.empty()) return system("HALOCLINE_MESH is not set");
  if (!sensible(nnodes, ndims, dims)) return system("unusual arguments");
  try {
    const Mesh mesh = Mesh::parse(text);
    if (mesh.dimensions() != to_size(ndims)) return system("other dimensions than the mesh");
    const Counts extents = chosen(mesh, nnodes, ndims, dims);
    std::transform(extents.begin(), extents.end(), dims, [](Count extent) { return to_int(extent); });
    tally.take();
    return MPI_SUCCESS;
  } catch (const Error& error) {
    note(concat("HALOCLINE_MESH=\"", text, "\": ", error.what()));
    return system("no grid for the mesh");
  } catch (const std::exception&) {
    return system("out of memory");
  }
}

}  // namespace halocline::preload
