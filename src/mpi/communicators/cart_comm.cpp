// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicators/cart_comm.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/comm.hpp"

#include <limits>

namespace halocline::mpi {
namespace {

/// The processes of a communicator in the order of their cells; null on those that have none.
struct Ordered {
  Comm comm;
};
using OrderedComms = AttributeCache<CommAttributes, Ordered, Duplicates::inherit_with_one_thread>;

Comm cart_on(MPI_Comm comm, const Grid& grid) {
  const std::vector<int> extents = int_extents(grid.extents());
  const std::vector<int> periods(grid.periodicity().begin(), grid.periodicity().end());
  Comm cart;
  HALOCLINE_MPI(Cart_create, comm, to_int(extents.size()), extents.data(), periods.data(), 0, cart.put());
  return cart;
}

/// With the error handler of `comm`.
Comm with_errors_of(MPI_Comm comm, Comm cart) {
  if (!cart) return cart;
  Errhandler handler;
  HALOCLINE_MPI(Comm_get_errhandler, comm, handler.put());
  HALOCLINE_MPI(Comm_set_errhandler, cart.get(), handler.get());
  return cart;
}

}  // namespace

Standing standing(MPI_Comm comm, const Grid& grid, const std::optional<Cell>& cell) {
  const auto kept = OrderedComms::find(comm);
  if (!cell) return {rank(comm) >= grid.size(), kept && !kept->comm};
  const Count number = grid.index(*cell);
  return {rank(comm) == number,
          kept && kept->comm && size(kept->comm.get()) == grid.size() && rank(kept->comm.get()) == number};
}

Comm create_cart(MPI_Comm comm, const Grid& grid, const std::optional<Cell>& cell, Standing of_all) {
  if (of_all.stays) return with_errors_of(comm, cart_on(comm, grid));
  auto ordered = of_all.in_kept ? OrderedComms::find(comm) : nullptr;
  if (!ordered) {
    ordered = std::make_shared<const Ordered>(
        Ordered{split(comm, cell ? 0 : MPI_UNDEFINED, cell ? to_int(grid.index(*cell)) : 0)});
    OrderedComms::keep(comm, ordered);
  }
  if (!cell) return {};
  return with_errors_of(comm, cart_on(ordered->comm.get(), grid));
}

void require_intracommunicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) throw Error(Fault::mpi, "the communicator is MPI_COMM_NULL", MPI_ERR_COMM);
  int inter = 0;
  HALOCLINE_MPI(Comm_test_inter, comm, &inter);
  if (inter)
    throw Error(Fault::mpi, "the communicator is an intercommunicator; it must have one group", MPI_ERR_COMM);
}

Grid grid_of(MPI_Comm cart) {
  if (!is_cartesian(cart)) fail(Fault::invalid_topology, "the communicator has no Cartesian topology");
  int dimensions = 0;
  HALOCLINE_MPI(Cartdim_get, cart, &dimensions);
  if (dimensions < 1) fail(Fault::invalid_topology, "the Cartesian communicator has no dimensions");
  const auto count = to_size(dimensions);
  std::vector<int> extents(count), periods(count), coordinates(count);
  HALOCLINE_MPI(Cart_get, cart, dimensions, extents.data(), periods.data(), coordinates.data());
  return Grid(Counts(extents.begin(), extents.end()), Periodicity(periods.begin(), periods.end()));
}

std::vector<int> int_extents(const Counts& extents) {
  std::vector<int> narrow;
  for (const Count extent : extents) {
    if (extent > std::numeric_limits<int>::max())
      fail(Fault::invalid_dimensions, "the extent ", extent, " is more than MPI's integers hold");
    narrow.push_back(to_int(extent));
  }
  return narrow;
}

}  // namespace halocline::mpi
