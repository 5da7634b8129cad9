// SPDX-License-Identifier: BSD-3-Clause
// What a communicator says about its plan.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "halocline/plan/explanation.hpp"
#include "mpi/communicators/cart_state.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/given_seats.hpp"

#include <cstdio>

namespace halocline {
namespace {

/// Of processes that nobody placed. Collective.
plan::GivenSeats seats_of(MPI_Comm cart, const Grid& grid) {
  const auto discovery = mpi::cached_discovery(cart);
  const auto mine = to_int(discovery->machine.node_of(discovery->position));
  std::vector<int> node_of(to_size(grid.size()));
  HALOCLINE_MPI(Allgather, &mine, 1, MPI_INT, node_of.data(), 1, MPI_INT, cart);
  return plan::given_seats(grid, node_of);
}

}  // namespace

plan::Explanation Cart::plan(const LevelCosts& prices) const {
  const State& state = this->state();
  std::optional<Machine> machine = state.machine;
  std::optional<plan::Seating> seating;
  if (state.placement) {
    seating = state.seating();
  } else {
    require(takes_part(), "the plan of a grid without reordering, on a process that has no part in it");
    plan::GivenSeats seats = seats_of(comm(), state.grid);
    machine = std::move(seats.machine);
    seating = plan::Seating{state.grid, std::move(seats.placement), std::string(plan::not_placed),
                            std::string(plan::not_placed)};
  }
  plan::Problem problem = state.given_stencil
                              ? plan::Problem{state.decomposition->mesh(), *state.given_stencil, *machine,
                                              state.halo, state.fixed}
                              : plan::Problem::of_blocks(state.grid, state.stencil, state.stencil.weights(),
                                                         Operation::alltoall, *machine);
  problem.allocation = state.allocation;
  plan::Choices choices;
  choices.prices = prices;
  choices.grid.algorithm = plan::wanted_algorithm(seating->wanted);
  if (state.network) choices.network.variant = plan::mapping_named(state.network->mapping);
  return plan::explain(problem, choices, std::move(*seating), plan::MachineSource::of_job());
}

void Cart::tell_plan(MPI_Info info) const {
  const State& state = this->state();
  // Without reordering nothing was decided. Rank 0 of the machine is the first process of its first node.
  if (!state.placement || !state.cell || state.placement->rank(*state.cell) != 0) return;
  if (mpi::setting("", info, settings::plan.key, settings::plan.variable, "") != "print") return;
  try {
    std::fputs(("halocline: the plan of a communicator\n" + plan().seats_to_text()).c_str(), stderr);
  } catch (const Error& error) {
    std::fputs(concat("halocline: the plan of a communicator cannot be told: ", error.what(), "\n").c_str(),
               stderr);
  }
}

}  // namespace halocline
