// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicators/placed_cart.hpp"

#include "base/fail.hpp"
#include "base/join.hpp"
#include "base/log.hpp"
#include "base/settings.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/communicators/cart_state.hpp"
#include "mpi/communicators/chosen_grid.hpp"
#include "mpi/communicators/comm_mesh.hpp"
#include "mpi/communicators/comm_seating.hpp"
#include "mpi/communicators/shared_rotations.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"
#include "mpi/settings/job_network.hpp"
#include "mpi/settings/plan_in_use.hpp"
#include "plan/options/option_names.hpp"
#include "plan/placement/network_contest.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace halocline {
namespace {

std::string chosen_algorithm(const CartOptions& options, const mpi::Environment& environment) {
  if (options.algorithm) return plan::name_of(*options.algorithm);
  return mpi::setting("", options.info, settings::place.key, settings::place.variable,
                      plan::best_placement.data(), environment);
}

/// What the processes are told when they do not ask for the same.
constexpr const char* all_arguments =
    "the grid or the mesh, the stencil, the algorithm, the network, halocline_order or the reorder flag";

using State = CartState;

/// The last grid that was placed on the processes of a communicator: programs make the same one again.
struct PlacedGrid {
  std::string wanted;
  Grid grid;
  Stencil stencil;
  Machine machine;
  std::string algorithm;
  Placement placement;
};

PlacedGrid place_grid(const Grid& grid, const Stencil& stencil, Machine machine, const std::string& wanted) {
  plan::PlacementChoice choice = plan::choose_placement(place::Problem(grid, stencil, machine), wanted);
  return {
      wanted, grid, stencil, std::move(machine), std::move(choice.algorithm), std::move(choice.placement)};
}

State placed(MPI_Comm comm, const Grid& grid, const Stencil& stencil, const Discovery& discovery,
             const std::string& wanted) {
  std::shared_ptr<const PlacedGrid> plan = mpi::CommCache<PlacedGrid>::find(comm);
  if (!plan || plan->wanted != wanted || plan->grid != grid || plan->stencil != stencil) {
    plan = std::make_shared<const PlacedGrid>(
        place_grid(grid, stencil, discovery.machine.first(grid.size()), wanted));
    mpi::CommCache<PlacedGrid>::keep(comm, plan);
  }
  std::optional<Cell> cell;
  if (discovery.position < grid.size()) cell = plan->placement.cell(discovery.position);
  return {.comm = {},
          .grid = grid,
          .stencil = stencil,
          .algorithm = plan->algorithm,
          .cell = std::move(cell),
          .machine = plan->machine,
          .placement = plan->placement,
          .wanted = wanted,
          .wanted_algorithm = wanted};
}

State unplaced(const Grid& grid, const Stencil& stencil, Rank rank) {
  std::optional<Cell> cell;
  if (rank < grid.size()) cell = grid.cell(rank);
  return {.comm = {},
          .grid = grid,
          .stencil = stencil,
          .algorithm = "none",
          .cell = std::move(cell),
          .machine = {},
          .placement = {}};
}

void require_fit(const Grid& grid, const Stencil& stencil, int processes) {
  if (grid.size() > processes)
    fail(Fault::invalid_dimensions, "the grid ", grid.to_text(), " has ", grid.size(),
         " cells, the communicator ", processes, " processes");
  if (stencil.dimensions() != grid.dimensions())
    fail(Fault::invalid_dimensions, "the stencil has ", stencil.dimensions(), " dimensions, the grid ",
         grid.dimensions());
}

/// What a process has worked out by itself: a cart, or its share of a search for one.
struct Attempt {
  std::optional<State> state;
  std::shared_ptr<const mpi::ChosenGrid> chosen = nullptr;  ///< To be kept, once all have it.
  std::shared_ptr<mpi::GridSearch> search = nullptr;        ///< Without a state: others tried other grids.

  [[nodiscard]] std::uint64_t fingerprint() const {
    return state ? state->fingerprint() : search->wish().fingerprint();
  }
};

/// `found` is what an earlier attempt searched for, shared by all; null: there was none.
Attempt placed_mesh(MPI_Comm comm, const mpi::MeshRequest& request, const Discovery& discovery,
                    const std::string& algorithm, const mpi::GridSearch* found) {
  const mpi::GridWish wish(request, algorithm);
  std::shared_ptr<const mpi::ChosenGrid> chosen = mpi::ChosenGrid::kept(comm, wish);
  const bool kept = chosen != nullptr;
  if (!kept && found != nullptr && found->wish() == wish) chosen = found->result();
  if (!chosen) {
    auto search = std::make_shared<mpi::GridSearch>(comm, request, discovery.machine, algorithm);
    if (search->is_open()) return {.state = std::nullopt, .search = std::move(search)};
    chosen = search->result();
  }
  const plan::GridChoice& choice = chosen->choice;
  State state{.comm = {},
              .grid = choice.grid,
              .stencil = choice.stencil,
              .algorithm = choice.algorithm,
              .cell = choice.placement.cell(discovery.position),
              .machine = discovery.machine,
              .placement = choice.placement,
              .wanted = chosen->wish.wanted,
              .wanted_algorithm = algorithm,
              .candidates = choice.candidates,
              .fixed = chosen->fixed};
  return {.state = std::move(state), .chosen = kept ? nullptr : std::move(chosen)};
}

/// On the seats that a plan has. @pre there are some
State planned(const plan::Seating& seats, const Stencil& stencil, const Machine& machine,
              const Discovery& discovery) {
  std::optional<Cell> cell;
  if (discovery.position < seats.grid.size()) cell = seats.placement.cell(discovery.position);
  return {.comm = {},
          .grid = seats.grid,
          .stencil = stencil,
          .algorithm = seats.algorithm,
          .cell = std::move(cell),
          .machine = machine,
          .placement = seats.placement,
          .wanted = "by plan",
          .wanted_algorithm = seats.wanted,
          .candidates = seats.candidates,
          .network = seats.network,
          .by_plan = true};
}

State unplaced_mesh(MPI_Comm comm, const mpi::MeshRequest& request) {
  const Grid grid = mpi::grid_by_mesh(request, mpi::size(comm));
  require_fit(grid, request.stencil, mpi::size(comm));
  State state = unplaced(grid, plan::with_message_sizes(request.mesh, grid, request.stencil, request.halo),
                         mpi::rank(comm));
  state.fixed = request.turned() ? grid.extents() : request.fixed;
  return state;
}

/// What is known about the processes of a communicator.
struct Surroundings {
  std::shared_ptr<const Discovery> discovery;  ///< Null if nobody wants to move them.
  std::shared_ptr<const mpi::JobNetwork> network;
};

/// `error` is what is wrong on this process already: it is thrown on all.
Surroundings surroundings_of(MPI_Comm comm, const CartOptions& options, std::optional<Error> error) {
  mpi::JobNetworkWords words;
  try {
    words = mpi::network_words(
        {options.network, options.allocation, options.mapping ? plan::name_of(*options.mapping) : ""},
        options.info);
  } catch (const Error& e) {
    if (!error) error = e;
  }
  // One rank that discovers while others do not would wait for them for ever. Once everything is known there
  // is no such danger: whoever asks for something else is found out by the fingerprint of the agreement that
  // comes next, whichever it is: both go on alike where processes do not agree.
  if (error || !mpi::is_discovered(comm) || !mpi::is_network_known(comm, words))
    (void)mpi::agreed_by_first(
        comm,
        [&](const mpi::Environment&) {
          if (error) throw Error(*error);
          return mpi::fingerprint(concat(options.reorder, words.text()));
        },
        [](std::uint64_t print) { return print; }, all_arguments);
  if (!options.reorder) return {};
  auto discovery = mpi::cached_discovery(comm);
  auto network = mpi::job_network(comm, *discovery, words);
  return {std::move(discovery), std::move(network)};
}

/// The last placement that was fitted to the network, kept by all processes or by none.
struct FittedGrid {
  std::string wanted;
  Grid grid;
  Stencil stencil;
  std::shared_ptr<const mpi::JobNetwork> network;
  plan::Candidate best;
  plan::OnNetwork on_network;
};

Allocation allocation_of(const mpi::JobNetwork& network, const Machine& machine) {
  const Counts& nodes = network.allocation.nodes();
  return Allocation(network.allocation.network(), Counts(nodes.begin(), nodes.begin() + machine.nodes()));
}

/// Nodes change places so that messages travel less far; every process tries its share of the mappings.
void fit_to_network(MPI_Comm comm, const Surroundings& around, State& state) {
  state.allocation = allocation_of(*around.network, *state.machine);
  if (state.by_plan) return;  // it was fitted
  std::shared_ptr<const FittedGrid> fitted = mpi::CommCache<FittedGrid>::find(comm);
  if (!fitted || fitted->wanted != state.wanted || fitted->grid != state.grid ||
      fitted->stencil != state.stencil || fitted->network != around.network) {
    const std::string& mapping = around.network->mapping;
    std::optional<plan::NetworkContest> contest;
    const network::Score mine = mpi::agreed(comm, [&] {
      const place::Problem problem(state.grid, plan::that_sends(state.stencil, state.halo), *state.machine);
      contest.emplace(problem,
                      plan::network_candidates(problem, {state.algorithm, *state.placement},
                                               state.wanted_algorithm, mapping),
                      *state.allocation, plan::NetworkOptions{.variant = plan::mapping_named(mapping)});
      const auto [first, last] = mpi::share_of_rotations(comm, contest->size());
      return contest->best(first, last);
    });
    auto [algorithm, on_network] = contest->winner(mpi::least_score(comm, mine).rotation);
    fitted =
        std::make_shared<const FittedGrid>(FittedGrid{state.wanted,
                                                      state.grid,
                                                      state.stencil,
                                                      around.network,
                                                      {std::move(algorithm), on_network.placement},
                                                      plan::summary(*state.allocation, mapping, on_network)});
    mpi::CommCache<FittedGrid>::keep(comm, fitted);
  }
  state.algorithm = fitted->best.algorithm;
  state.placement = fitted->best.placement;
  state.network = fitted->on_network;
  if (around.discovery->position < state.grid.size())
    state.cell = state.placement->cell(around.discovery->position);
}

mpi::Votes votes_of(MPI_Comm comm, const State& state) {
  return mpi::votes(mpi::standing(comm, state.grid, state.cell));
}

/// What all agree on after they have searched for it together, if they have to.
template <class Work>
State agreed_state(MPI_Comm comm, const Work& work, mpi::Votes& votes) {
  std::shared_ptr<mpi::GridSearch> found;
  for (;;) {
    Attempt attempt = mpi::agreed_by_first(
        comm, [&](const mpi::Environment& environment) -> Attempt { return work(environment, found.get()); },
        [](const Attempt& mine) { return mine.fingerprint(); }, all_arguments,
        [&](const Attempt& mine) { return mine.state ? votes_of(comm, *mine.state) : mpi::Votes{}; }, &votes);
    if (attempt.state) {
      if (attempt.chosen) mpi::ChosenGrid::keep(comm, std::move(attempt.chosen));
      return std::move(*attempt.state);
    }
    found = std::move(attempt.search);
    found->share(comm);
  }
}

/// Agrees on what to make, fits it to the network, then makes the communicator.
template <class Work>
std::unique_ptr<State> created(MPI_Comm comm, const Surroundings& around, const Work& work) {
  mpi::Votes votes{};
  auto state = std::make_unique<State>(agreed_state(comm, work, votes));
  if (around.network) {
    fit_to_network(comm, around, *state);
    votes = votes_of(comm, *state);
    mpi::agree(comm, std::nullopt, 0, "", &votes);
  }
  state->comm = mpi::create_cart(comm, state->grid, state->cell, mpi::standing(votes));
  if (mpi::rank(comm) == 0 && !state->why_not_by_plan.empty())
    say_once(
        concat("the plan of ", mpi::plan_use, " is not used for a communicator: ", state->why_not_by_plan));
  if (state->comm && state->placement) {
    mpi::keep_discovery(state->comm.get(), {*state->machine, state->placement->rank(*state->cell)});
    mpi::CommSeatings::keep(state->comm.get(),
                            std::make_shared<const mpi::CommSeating>(mpi::CommSeating{
                                *state->machine, state->seating(), state->allocation, state->fixed}));
  }
  return state;
}

/// A call as it was read, and what is known about the processes that make it.
template <class Request>
struct ReadCall {
  std::optional<Request> request;  ///< Nothing where it was refused, which all are told.
  Surroundings around;
};

template <class Request, class Read>
ReadCall<Request> read_call(MPI_Comm comm, const Read& read, const CartOptions& options) {
  mpi::require_intracommunicator(comm);
  std::optional<Error> error;
  std::optional<Request> request = mpi::attempted(read, error);
  return {std::move(request), surroundings_of(comm, options, error)};
}

/// What a plan in use has for the processes, or nothing and why.
template <class Here>
mpi::PlannedSeats seats_by_plan(const mpi::Environment& environment, const Surroundings& around,
                                const Here& here) {
  const auto plan = mpi::plan_in_use(environment);
  if (!plan || !around.discovery) return {};
  return here(*plan, around.network.get());
}

}  // namespace

Cart cart_of(std::unique_ptr<Cart::State> state, MPI_Info info) { return Cart(std::move(state), info); }

Cart mpi::placed_cart(MPI_Comm comm, const ReadGrid& read, const CartOptions& options) {
  const ReadCall<GridRequest> call = read_call<GridRequest>(comm, read, options);
  const std::optional<GridRequest>& request = call.request;
  const Surroundings& around = call.around;
  const auto work = [&](const mpi::Environment& environment, const mpi::GridSearch* /*no mesh*/) {
    const Grid& grid = request->grid;
    const Stencil& stencil = request->stencil;
    require_fit(grid, stencil, mpi::size(comm));
    auto [seats, why_not] =
        seats_by_plan(environment, around, [&](const plan::Decisions& plan, const mpi::JobNetwork* network) {
          return mpi::planned_seats(plan, grid, around.discovery->machine.first(grid.size()), network);
        });
    State own =
        seats ? planned(*seats, stencil, around.discovery->machine.first(grid.size()), *around.discovery)
        : around.discovery
            ? placed(comm, grid, stencil, *around.discovery, chosen_algorithm(options, environment))
            : unplaced(grid, stencil, mpi::rank(comm));
    own.why_not_by_plan = why_not;
    own.fixed = grid.extents();
    return Attempt{std::move(own)};
  };
  auto state = created(comm, around, work);
  return cart_of(std::move(state), options.info);
}

Cart mpi::placed_cart(MPI_Comm comm, const ReadMesh& read, const CartOptions& options) {
  const ReadCall<MeshRequest> call = read_call<MeshRequest>(comm, read, options);
  const std::optional<MeshRequest>& request = call.request;
  const Surroundings& around = call.around;
  const auto work = [&](const mpi::Environment& environment, const mpi::GridSearch* found) {
    const Mesh& mesh = request->mesh;
    const Stencil& stencil = request->stencil;
    const Counts& halo = request->halo;
    auto [seats, why_not] =
        seats_by_plan(environment, around, [&](const plan::Decisions& plan, const mpi::JobNetwork* network) {
          return mpi::planned_seats(plan, {mesh, stencil, around.discovery->machine, halo, request->fixed},
                                    network);
        });
    Attempt attempt =
        seats ? Attempt{planned(*seats, plan::with_message_sizes(mesh, seats->grid, stencil, halo),
                                around.discovery->machine, *around.discovery)}
        : around.discovery
            ? placed_mesh(comm, *request, *around.discovery, chosen_algorithm(options, environment), found)
            : Attempt{unplaced_mesh(comm, *request)};
    if (!attempt.state) return attempt;
    State& own = *attempt.state;
    if (seats) own.fixed = request->fixed;
    own.why_not_by_plan = why_not;
    if (request->cut) {
      own.decomposition = request->cut;
      for (const Counts& along : request->cut->slabs()) own.wanted += concat(" cut ", join(along, ","));
    } else {
      own.decomposition.emplace(mesh, own.grid);
    }
    if (!halo.empty()) own.halo = halo;
    own.given_stencil = stencil;
    return attempt;
  };
  auto state = created(comm, around, work);
  if (state->comm)
    mpi::CommMeshes::keep(state->comm.get(), std::make_shared<const mpi::CommMesh>(mpi::CommMesh{
                                                 *state->decomposition, state->halo, state->stencil}));
  return cart_of(std::move(state), options.info);
}

}  // namespace halocline
