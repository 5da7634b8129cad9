// Random problems and their plans for the Fortran program beside this file: one case at hand, asked for
// number by number.

#include "halo/random_plans.hpp"

namespace halocline::fortran_planned_tests {
namespace {

Counts reversed(const Counts& list) { return Counts(list.rbegin(), list.rend()); }

/// Fortran has the grid chosen with the dimensions turned round, where more than one is free.
plan::RandomProblem as_fortran_sees_it(plan::RandomProblem given) {
  plan::Problem& problem = given.problem;
  Counts fixed = problem.fixed;
  fixed.resize(problem.mesh.dimensions());
  if (std::count(fixed.begin(), fixed.end(), 0) < 2) return given;
  std::vector<Offset> offsets;
  for (const Offset& offset : problem.stencil.offsets()) offsets.push_back(reversed(offset));
  const Periodicity& periods = problem.mesh.periodicity();
  const auto turned = unless_refused([&] {
    return plan::choose_grid({Mesh(reversed(problem.mesh.extents()), {periods.rbegin(), periods.rend()}),
                              Stencil(offsets, problem.stencil.weights()), problem.machine,
                              reversed(problem.halo), reversed(fixed)},
                             given.choices.grid)
        .grid.extents();
  });
  problem.fixed = turned ? reversed(*turned) : fixed;
  return given;
}

struct AtHand {
  explicit AtHand(std::uint64_t seed)
      : planned(planned_case(plan::RandomProblems(seed, world_size()).halo())),
        environment(planned),
        world(shuffled_world(static_cast<unsigned>(seed))),
        plan(unless_refused([&] {
          const plan::RandomProblem seen = as_fortran_sees_it(planned.given);
          return plan::make_plan(seen.problem, seen.choices);
        })) {}

  PlannedCase planned;
  PlannedEnvironment environment;
  mpi::Comm world;
  std::optional<plan::Plan> plan;
};

std::unique_ptr<AtHand> at_hand;

void write(const Counts& numbers, int* list) { std::copy(numbers.begin(), numbers.end(), list); }

}  // namespace
}  // namespace halocline::fortran_planned_tests

using namespace halocline;  // NOLINT(google-build-using-namespace): C functions cannot be inside
using namespace halocline::fortran_planned_tests;  // NOLINT(google-build-using-namespace)

extern "C" {

void planned_case_begin(std::int64_t seed) {
  at_hand = std::make_unique<AtHand>(static_cast<std::uint64_t>(seed));
}
void planned_case_end() { at_hand.reset(); }

MPI_Fint planned_case_world() { return MPI_Comm_c2f(at_hand->world.get()); }
int planned_case_dimensions() { return static_cast<int>(at_hand->planned.problem().mesh.dimensions()); }
int planned_case_offsets() { return static_cast<int>(at_hand->planned.problem().stencil.size()); }
int planned_case_fields() { return static_cast<int>(at_hand->planned.problem().fields); }
int planned_case_bytes() { return static_cast<int>(at_hand->planned.problem().value_bytes); }

/// Lists of as many numbers as there are dimensions; one behind the other for each offset.
void planned_case_lists(int* mesh, int* periods, int* halo, int* fixed, int* offsets) {
  const plan::Problem& problem = at_hand->planned.problem();
  write(problem.mesh.extents(), mesh);
  std::copy(problem.mesh.periodicity().begin(), problem.mesh.periodicity().end(), periods);
  write(at_hand->planned.halo(), halo);
  write(problem.fixed.empty() ? Counts(problem.mesh.dimensions(), 0) : problem.fixed, fixed);
  for (const Offset& offset : problem.stencil.offsets()) {
    write(offset, offsets);
    offsets += offset.size();
  }
}

/// Is there a plan? And one of nothing that is to be sent?
int planned_case_has_plan() { return at_hand->plan ? 1 : 0; }
int planned_case_sends() {
  const Stencil& stencil = at_hand->planned.problem().stencil;
  return std::any_of(stencil.offsets().begin(), stencil.offsets().end(),
                     [](const Offset& offset) { return plan::sends(offset, at_hand->planned.halo()); })
             ? 1
             : 0;
}
/// @pre there is a plan
void planned_case_grid(int* dims, int* cell) {
  write(at_hand->plan->grid.extents(), dims);
  write(at_hand->plan->placement.cell(world_rank()), cell);
}
int planned_case_is_schedule(const char* name, int length) {
  return at_hand->plan->schedule == std::string(name, static_cast<std::size_t>(length)) ? 1 : 0;
}
void planned_case_print() { std::cout << "  " << at_hand->planned.given.to_text() << std::endl; }

}  // extern "C"
