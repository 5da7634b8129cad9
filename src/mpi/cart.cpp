#include "halocline/mpi/cart.hpp"

#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "halocline/place/best.hpp"
#include "halocline/plan/grid_choice.hpp"
#include "halocline/shape/choose.hpp"
#include "mpi/agree.hpp"
#include "mpi/attribute_cache.hpp"
#include "mpi/cached_discovery.hpp"
#include "mpi/cart_comm.hpp"
#include "mpi/comm.hpp"
#include "mpi/info.hpp"

#include <optional>

namespace halocline {
namespace {

std::string chosen_algorithm(const CartOptions& options) {
  return mpi::setting(options.algorithm, options.info, "halocline_place", "HALOCLINE_PLACE", "best");
}

}  // namespace

struct Cart::State {
  mpi::Comm comm;
  Grid grid;
  Stencil stencil;
  std::string algorithm;
  std::optional<Cell> cell;
  std::optional<Machine> machine;
  std::optional<Placement> placement;

  /// All that must be the same on every rank.
  [[nodiscard]] std::uint64_t fingerprint() const {
    return mpi::fingerprint(concat(grid.to_text(), " ", stencil.to_text(), " ", algorithm));
  }
};

namespace {

using State = Cart::State;

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
  const place::Problem problem(grid, stencil, machine);
  if (wanted != "best")
    return {wanted, grid, stencil, std::move(machine), wanted, place::algorithm(wanted).place(problem)};
  place::BestPlacement best = place::best(problem);
  return {wanted, grid, stencil, std::move(machine), std::string(best.algorithm), std::move(best.placement)};
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
  return {{}, grid, stencil, plan->algorithm, std::move(cell), plan->machine, plan->placement};
}

State unplaced(const Grid& grid, const Stencil& stencil, Rank rank) {
  std::optional<Cell> cell;
  if (rank < grid.size()) cell = grid.cell(rank);
  return {{}, grid, stencil, "none", std::move(cell), std::nullopt, std::nullopt};
}

void require_fit(const Grid& grid, const Stencil& stencil, int processes) {
  if (grid.size() > processes)
    fail(Fault::invalid_dimensions, "the grid ", grid.to_text(), " has ", grid.size(),
         " cells, the communicator ", processes, " processes");
  if (stencil.dimensions() != grid.dimensions())
    fail(Fault::invalid_dimensions, "the stencil has ", stencil.dimensions(), " dimensions, the grid ",
         grid.dimensions());
}

/// Agrees on what every rank worked out alone, then makes the communicator.
template <class Work>
std::unique_ptr<State> created(MPI_Comm comm, const Work& work) {
  auto state = std::make_unique<State>(mpi::agreed(
      comm, work, [](const State& s) { return s.fingerprint(); }, "the grid, the stencil or the algorithm"));
  state->comm = mpi::create_cart(comm, state->grid, state->cell);
  if (state->comm && state->placement)
    mpi::keep_discovery(state->comm.get(), {*state->machine, state->placement->rank(*state->cell)});
  return state;
}

/// What is known about the processes of `comm`; nothing if nobody wants to move them.
std::shared_ptr<const Discovery> discovery_for(MPI_Comm comm, const CartOptions& options) {
  mpi::require_intracommunicator(comm);
  // One rank that discovers while others do not would wait for them for ever. Once it has been done there is
  // no such danger, and whoever does not reorder is found out by the fingerprint.
  if (!mpi::is_discovered(comm)) mpi::agree(comm, std::nullopt, options.reorder ? 1 : 0, "the reorder flag");
  return options.reorder ? mpi::cached_discovery(comm) : nullptr;
}

}  // namespace

Cart::Cart(MPI_Comm comm, const Grid& grid, const Stencil& stencil, const CartOptions& options) {
  const auto discovery = discovery_for(comm, options);
  state_ = created(comm, [&] {
    require_fit(grid, stencil, mpi::size(comm));
    return discovery ? placed(comm, grid, stencil, *discovery, chosen_algorithm(options))
                     : unplaced(grid, stencil, mpi::rank(comm));
  });
}

Cart::Cart(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil, const CartOptions& options,
           const Counts& halo, const Counts& fixed) {
  const auto discovery = discovery_for(comm, options);
  state_ = created(comm, [&]() -> State {
    if (discovery) {
      plan::GridChoice choice = plan::choose_grid({mesh, stencil, discovery->machine, halo, fixed},
                                                  {.algorithm = chosen_algorithm(options)});
      Cell cell = choice.placement.cell(discovery->position);
      return {{},
              std::move(choice.grid),
              std::move(choice.stencil),
              std::move(choice.algorithm),
              std::move(cell),
              discovery->machine,
              std::move(choice.placement)};
    }
    shape::Problem problem = shape::Problem::for_mesh({mpi::size(comm)}, mesh, halo);
    problem.fixed = fixed;
    const Grid grid(shape::by_levels(problem).dims(), mesh.periodicity());
    require_fit(grid, stencil, mpi::size(comm));
    return unplaced(grid, plan::with_message_sizes(mesh, grid, stencil, halo), mpi::rank(comm));
  });
}

Cart::Cart(Cart&& other) noexcept = default;
Cart& Cart::operator=(Cart&& other) noexcept = default;
Cart::~Cart() = default;

MPI_Comm Cart::comm() const { return state_->comm.get(); }
MPI_Comm Cart::release() { return state_->comm.release(); }
const Grid& Cart::grid() const { return state_->grid; }
const Stencil& Cart::stencil() const { return state_->stencil; }
const Cell& Cart::cell() const { return *state_->cell; }
const std::string& Cart::algorithm() const { return state_->algorithm; }
const Machine* Cart::machine() const { return state_->machine ? &*state_->machine : nullptr; }
const Placement* Cart::placement() const { return state_->placement ? &*state_->placement : nullptr; }

}  // namespace halocline
