// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicators/chosen_grid.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/shape_choice.hpp"
#include "plan/placement/uncosted_grid.hpp"

namespace halocline::mpi {
namespace {

Counts reversed(const Counts& list) { return Counts(list.rbegin(), list.rend()); }

MeshRequest reversed(const MeshRequest& request) {
  std::vector<Offset> offsets;
  for (const Offset& offset : request.stencil.offsets()) offsets.push_back(reversed(offset));
  const Periodicity& periodic = request.mesh.periodicity();
  return {Mesh(reversed(request.mesh.extents()), Periodicity(periodic.rbegin(), periodic.rend())),
          Stencil(std::move(offsets), request.stencil.weights()), reversed(request.halo),
          reversed(request.fixed)};
}

/// The extents that are fixed once `best` has chosen with the dimensions turned round, if it is to.
template <class Best>
Counts fixed_by(const MeshRequest& request, const Best& best) {
  if (!request.turned()) return request.fixed;
  try {
    return reversed(best(reversed(request)));
  } catch (const Error&) {  // refused again, with the dimensions as they were given
    return request.fixed;
  }
}

plan::GridChoice choose(const MeshRequest& request, const Machine& machine, const Counts& fixed,
                        const std::string& algorithm) {
  return plan::choose_uncosted_grid({request.mesh, request.stencil, machine, request.halo, fixed},
                                    {.algorithm = plan::algorithm_named(algorithm)});
}

Counts choose_by_mesh(const MeshRequest& request, Count processes, const Counts& fixed) {
  shape::Problem problem = shape::Problem::for_mesh({processes}, request.mesh, request.halo);
  problem.fixed = fixed;
  return plan::choose_shape(problem).shape.dims();
}

}  // namespace

std::shared_ptr<const ChosenGrid> chosen_grid(MPI_Comm comm, const MeshRequest& request,
                                              const Machine& machine, const std::string& algorithm) {
  std::string wanted = concat(request.mesh.to_text(), " ", join(request.halo, ","), " ",
                              join(request.fixed, ","), " ", algorithm, request.turned() ? " turned" : "");
  auto chosen = CommCache<ChosenGrid>::find(comm);
  if (chosen && chosen->wanted == wanted && chosen->stencil == request.stencil) return chosen;
  Counts fixed = fixed_by(request, [&](const MeshRequest& turned) {
    return choose(turned, machine, turned.fixed, algorithm).grid.extents();
  });
  plan::GridChoice choice = choose(request, machine, fixed, algorithm);
  chosen = std::make_shared<const ChosenGrid>(
      ChosenGrid{std::move(wanted), request.stencil, std::move(fixed), std::move(choice)});
  CommCache<ChosenGrid>::keep(comm, chosen);
  return chosen;
}

Grid grid_by_mesh(const MeshRequest& request, Count processes) {
  const Counts fixed = fixed_by(
      request, [&](const MeshRequest& turned) { return choose_by_mesh(turned, processes, turned.fixed); });
  return Grid(choose_by_mesh(request, processes, fixed), request.mesh.periodicity());
}

}  // namespace halocline::mpi
