// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicators/chosen_grid.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/shape_choice.hpp"

#include <span>
#include <utility>

namespace halocline::mpi {
namespace {

/// Among more processes, each places the best grid itself: that takes less than to tell them where all sit.
constexpr Count most_told = 4096;

Counts reversed(const Counts& list) { return Counts(list.rbegin(), list.rend()); }

MeshRequest reversed(const MeshRequest& request) {
  std::vector<Offset> offsets;
  for (const Offset& offset : request.stencil.offsets()) offsets.push_back(reversed(offset));
  const Periodicity& periodic = request.mesh.periodicity();
  return {Mesh(reversed(request.mesh.extents()), Periodicity(periodic.rbegin(), periodic.rend())),
          Stencil(std::move(offsets), request.stencil.weights()), reversed(request.halo),
          reversed(request.fixed)};
}

Counts choose_by_mesh(const MeshRequest& request, Count processes, const Counts& fixed) {
  shape::Problem problem = shape::Problem::for_mesh({processes}, request.mesh, request.halo);
  problem.fixed = fixed;
  return plan::choose_shape(problem).shape.dims();
}

}  // namespace

GridWish::GridWish(const MeshRequest& request, const std::string& algorithm)
    : wanted(concat(request.mesh.to_text(), " ", join(request.halo, ","), " ", join(request.fixed, ","), " ",
                    algorithm, request.turned() ? " turned" : "")),
      stencil(request.stencil) {}

std::uint64_t GridWish::fingerprint() const {
  return mpi::fingerprint(concat("a grid for ", wanted, " ", stencil.to_text()));
}

std::shared_ptr<const ChosenGrid> ChosenGrid::kept(MPI_Comm comm, const GridWish& wish) {
  auto chosen = CommCache<ChosenGrid>::find(comm);
  return chosen && chosen->wish == wish ? chosen : nullptr;
}

void ChosenGrid::keep(MPI_Comm comm, std::shared_ptr<const ChosenGrid> chosen) {
  CommCache<ChosenGrid>::keep(comm, std::move(chosen));
}

GridSearch::GridSearch(MPI_Comm comm, const MeshRequest& request, const Machine& machine,
                       const std::string& algorithm)
    : wish_(request, algorithm),
      request_(request),
      machine_(machine),
      options_{.algorithm = plan::algorithm_named(algorithm)},
      turned_(request.turned()),
      contest_(contest()),
      // On one node grids are compared without being placed.
      open_(machine.nodes() > 1 && contest_.size() > 1),
      scores_(open_ ? contest_.scores(rank(comm), size(comm)) : contest_.scores(0, 1)) {}

plan::MeshProblem GridSearch::problem(const MeshRequest& request) const {
  return {request.mesh, request.stencil, machine_, request.halo, request.fixed};
}

plan::GridContest GridSearch::contest() {
  if (turned_) {
    try {
      return plan::GridContest(problem(reversed(request_)), options_);
    } catch (const Error&) {  // refused again, with the dimensions as they were given
      turned_ = false;
    }
  }
  return plan::GridContest(problem(request_), options_);
}

void GridSearch::share(MPI_Comm comm) {
  using Score = plan::GridScore;
  static_assert(sizeof(Score) == 3 * sizeof(Count));
  HALOCLINE_MPI(Allreduce, MPI_IN_PLACE, scores_.data(), to_int(3 * scores_.size()), MPI_INT64_T, MPI_MIN,
                comm);
  // What is found with the dimensions turned round is not placed like that.
  if (!turned_ && size(comm) <= most_told) told_ = told_by_finder(comm);
  open_ = false;
}

plan::GridChoice GridSearch::told_by_finder(MPI_Comm comm) const {
  const Count processes = size(comm);
  const int finder = to_int(to_count(contest_.best(scores_)) % processes);
  std::vector<Count> told(to_size(processes) + 1);  // the algorithm, by its row; who has which cell
  std::optional<plan::GridChoice> own;
  if (rank(comm) == finder) {
    own = contest_.winner(scores_);
    told[0] = static_cast<Count>(plan::algorithm_named(own->algorithm));
    own->placement.ranks(0, std::span(told).subspan(1));
  }
  HALOCLINE_MPI(Bcast, told.data(), to_int(told.size()), MPI_INT64_T, finder, comm);
  if (own) return std::move(*own);
  const auto algorithm = static_cast<PlacementAlgorithm>(told[0]);
  return contest_.winner(scores_, plan::name_of(algorithm), {told.begin() + 1, told.end()});
}

std::shared_ptr<const ChosenGrid> GridSearch::result() const {
  plan::GridChoice best = told_ ? *told_ : contest_.winner(scores_);
  if (!turned_) return std::make_shared<const ChosenGrid>(ChosenGrid{wish_, request_.fixed, std::move(best)});
  MeshRequest fixed = request_;
  fixed.fixed = reversed(best.grid.extents());
  return std::make_shared<const ChosenGrid>(
      ChosenGrid{wish_, fixed.fixed, plan::choose_uncosted_grid(problem(fixed), options_)});
}

Grid grid_by_mesh(const MeshRequest& request, Count processes) {
  Counts fixed = request.fixed;
  if (request.turned()) {
    try {
      const MeshRequest turned = reversed(request);
      fixed = reversed(choose_by_mesh(turned, processes, turned.fixed));
    } catch (const Error&) {  // refused again, with the dimensions as they were given
    }
  }
  return Grid(choose_by_mesh(request, processes, fixed), request.mesh.periodicity());
}

}  // namespace halocline::mpi
