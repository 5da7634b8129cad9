// SPDX-License-Identifier: BSD-3-Clause
// The cost of a Cartesian communicator as it is: every process tells its neighbours which node it is on.

#include "base/fail.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "halocline/mpi/cart.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"

#include <optional>

namespace halocline {
namespace {

struct CartView {
  Grid grid;
  Cell cell;
};

CartView view_of(MPI_Comm cart) {
  Grid grid = mpi::grid_of(cart);
  Cell cell = grid.cell(mpi::rank(cart));  // ranks count cells row by row
  return {std::move(grid), std::move(cell)};
}

int rank_at(const CartView& view, const Offset& offset, Count sign) {
  Offset signed_offset = offset;
  for (Count& component : signed_offset) component *= sign;
  const auto neighbour = view.grid.neighbor(view.cell, signed_offset);
  return neighbour ? to_int(view.grid.index(*neighbour)) : MPI_PROC_NULL;
}

/// The node of the neighbour at each offset; none beyond an open border.
std::vector<std::optional<Count>> neighbour_nodes(MPI_Comm cart, const CartView& view, const Stencil& stencil,
                                                  Count my_node) {
  constexpr Count nobody = -1;
  const std::size_t offsets = stencil.size();
  std::vector<Count> nodes(offsets, nobody);
  std::vector<MPI_Request> requests(2 * offsets, MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < offsets; ++i) {
    // Who is at +offset from me has me at -offset: I hear from the one and tell the other, in the order of
    // offsets.
    HALOCLINE_MPI(Irecv, &nodes[i], 1, MPI_INT64_T, rank_at(view, stencil.offsets()[i], 1), 0, cart,
                  &requests[i]);
    HALOCLINE_MPI(Isend, &my_node, 1, MPI_INT64_T, rank_at(view, stencil.offsets()[i], -1), 0, cart,
                  &requests[offsets + i]);
  }
  mpi::wait_all(requests);
  std::vector<std::optional<Count>> found(offsets);
  for (std::size_t i = 0; i < offsets; ++i)
    if (nodes[i] != nobody) found[i] = nodes[i];
  return found;
}

}  // namespace

InternodeCost internode_cost(MPI_Comm cart, const Stencil& stencil) {
  mpi::require_intracommunicator(cart);
  const CartView view = mpi::agreed(
      cart,
      [&] {
        CartView mine = view_of(cart);
        if (stencil.dimensions() != mine.grid.dimensions())
          fail(Fault::invalid_dimensions, "the stencil has ", stencil.dimensions(),
               " dimensions, the communicator ", mine.grid.dimensions());
        return mine;
      },
      [&](const CartView&) { return mpi::fingerprint(stencil.to_text()); }, "the stencil");
  const auto discovery = mpi::cached_discovery(cart);
  const Count my_node = discovery->machine.node_of(discovery->position);

  Count leaving = 0;
  const auto nodes = neighbour_nodes(cart, view, stencil, my_node);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] && *nodes[i] != my_node) leaving = checked_add(leaving, stencil.weights()[i]);

  const mpi::Comm node = mpi::split(cart, to_int(my_node), 0);
  Count of_node = 0;
  HALOCLINE_MPI(Allreduce, &leaving, &of_node, 1, MPI_INT64_T, MPI_SUM, node.get());
  InternodeCost cost{};
  HALOCLINE_MPI(Allreduce, &leaving, &cost.total, 1, MPI_INT64_T, MPI_SUM, cart);
  HALOCLINE_MPI(Allreduce, &of_node, &cost.largest, 1, MPI_INT64_T, MPI_MAX, cart);
  return cost;
}

}  // namespace halocline
