// SPDX-License-Identifier: BSD-3-Clause
// MPI_Cart_create with reorder: the processes are placed so that little crosses between nodes.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "halocline/base/error.hpp"
#include "halocline/mpi/cart.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "plan/placement/reorder_choice.hpp"
#include "preload/neighbor/neighbor_call.hpp"
#include "preload/neighbor/node_mates.hpp"
#include "preload/neighbor/topology.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/settings.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

#include <array>
#include <cstdlib>
#include <optional>

namespace halocline::preload {
namespace {

/// What asks for a placement. The same on all ranks, or the agreement finds out.
struct Wish {
  Grid grid;
  Stencil stencil;
};

/// Does the user say what the machine is?
bool is_described() {
  const char* const text = std::getenv(settings::machine.variable);
  return text != nullptr && *text != '\0';
}

Stencil wanted_stencil(std::size_t dimensions) {
  const char* const text = std::getenv(settings::stencil.variable);
  return text == nullptr || *text == '\0' ? Stencil::nearest(dimensions) : Stencil::parse(text, dimensions);
}

Wish wish_of(MPI_Comm comm, int ndims, const int* dims, const int* periods) {
  require(ndims >= 1 && dims != nullptr && periods != nullptr, "unusual arguments");
  const auto dimensions = to_size(ndims);
  Grid grid(Counts(dims, dims + ndims), Periodicity(periods, periods + ndims));
  require(grid.size() <= mpi::size(comm), "the grid has more cells than there are processes");
  return {std::move(grid), wanted_stencil(dimensions)};
}

/// The communicator as the system makes it, without reordering, and what crosses between nodes there.
struct Unchanged {
  mpi::Comm comm;
  InternodeCost cost;
};

Unchanged unchanged(MPI_Comm comm, int ndims, const int* dims, const int* periods, const Stencil& stencil) {
  mpi::Comm cart;
  HALOCLINE_MPI(Cart_create, comm, ndims, dims, periods, 0, cart.put());
  InternodeCost cost{};
  if (cart) cost = internode_cost(cart.get(), stencil);
  return {std::move(cart), cost};
}

/// Is it known without discovery that there is but one node? Placement inside it is not looked at here, so
/// nobody has to read where its cores are. The same on all ranks. Collective.
bool is_one_node(MPI_Comm comm) {
  if (node_mates(comm).size() < to_size(mpi::size(comm))) return false;
  int described = is_described() ? 1 : 0, anywhere = 0;
  HALOCLINE_MPI(Allreduce, &described, &anywhere, 1, MPI_INT, MPI_MAX, comm);
  return anywhere == 0;
}

/// What all processes of a communicator ask for, and are told.
struct Wanted {
  bool reorder, allowed, eager_streams;
};

/// The same for all. Collective.
Wanted wanted_by_all(MPI_Comm comm, int reorder) {
  const std::array<int, 3> mine{reorder != 0, is_on(Feature::reorder), wants_eager_streams()};
  std::array<int, 3> all{};
  HALOCLINE_MPI(Allreduce, mine.data(), all.data(), to_int(mine.size()), MPI_INT, MPI_MIN, comm);
  return {all[0] != 0, all[1] != 0, all[2] != 0};
}

struct Change {
  InternodeCost before, after;
};

/// What those know who take part. Of a grid with fewer cells than there are processes, those left over need
/// not be the same before and after. Collective.
Change known_to_all(MPI_Comm comm, const InternodeCost& before, const InternodeCost& after) {
  const std::array<Count, 4> mine{before.total, before.largest, after.total, after.largest};
  std::array<Count, 4> all{};
  HALOCLINE_MPI(Allreduce, mine.data(), all.data(), to_int(mine.size()), MPI_INT64_T, MPI_MAX, comm);
  return {{all[0], all[1]}, {all[2], all[3]}};
}

/// Ours, if it is better than what the system would do; nothing if not. All ranks alike. Collective.
std::optional<MPI_Comm> placed(MPI_Comm comm, int ndims, const int* dims, const int* periods,
                               const Wanted& wanted, Tally& tally) {
  if (!wanted.allowed || !wanted.reorder) {
    tally.leave(wanted.allowed ? "reorder is false" : "HALOCLINE_REORDER is off");
    return std::nullopt;
  }
  const Wish wish = mpi::agreed(
      comm, [&] { return wish_of(comm, ndims, dims, periods); },
      [](const Wish& w) { return mpi::fingerprint(w.grid.to_text() + " " + w.stencil.to_text()); },
      "the grid");
  if (is_one_node(comm) || mpi::cached_discovery(comm)->machine.nodes() == 1) {
    tally.leave("one node");
    return std::nullopt;
  }
  const Unchanged before = unchanged(comm, ndims, dims, periods, wish.stencil);
  Cart cart(comm, wish.grid, wish.stencil);
  InternodeCost after{};
  if (cart.takes_part()) after = internode_cost(cart.comm(), wish.stencil);
  const Change change = known_to_all(comm, before.cost, after);
  if (!plan::pays_to_renumber(change.before.total, change.after.total)) {
    tally.leave("nothing to gain by placement");
    return std::nullopt;
  }
  note(concat("placed ", wish.grid.to_text(), " by ", cart.algorithm(), ": between nodes ",
              change.before.total, " -> ", change.after.total, ", the most of one node ",
              change.before.largest, " -> ", change.after.largest));
  tally.take();
  return cart.release();
}

}  // namespace

int cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                MPI_Comm* cart) {
  static Tally& tally = tally_of("MPI_Cart_create");
  Wanted wanted{};
  const auto with_streams = [&](int code) {
    if (code == MPI_SUCCESS && wanted.eager_streams) prepare_streams(*cart, *cart);
    return code;
  };
  const auto system = [&] {
    return HALOCLINE_SYSTEM(Cart_create)(comm, ndims, dims, periods, reorder, cart);
  };
  if (cart == nullptr || !is_intracommunicator(comm)) {
    tally.leave("unusual arguments");
    return system();
  }
  try {
    wanted = wanted_by_all(comm, reorder);
    if (const auto made = placed(comm, ndims, dims, periods, wanted, tally)) {
      *cart = *made;
      return with_streams(MPI_SUCCESS);
    }
  } catch (const Error& error) {
    tally.leave("it could not be placed");
    note(concat("MPI_Cart_create was left to MPI: ", error.what()));
  } catch (const std::exception&) {
    tally.leave("out of memory");
  }
  return with_streams(system());
}

}  // namespace halocline::preload
