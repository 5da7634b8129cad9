// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/exchange/neighborhood.hpp"

#include "base/fail.hpp"
#include "exchange/neighborhood/neighborhood_state.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/handles/agree.hpp"
#include "schedule/algorithms.hpp"
#include "schedule/on_grid.hpp"

namespace halocline {

Neighborhood::Neighborhood(MPI_Comm cart, const Stencil& offsets) {
  mpi::require_intracommunicator(cart);
  (void)mpi::agreed(
      cart,
      [&] {
        const std::size_t dimensions = mpi::grid_of(cart).dimensions();
        if (offsets.dimensions() != dimensions)
          fail(Fault::invalid_dimensions, "offsets of ", offsets.dimensions(), " components on a grid of ",
               dimensions, " dimensions");
        return 0;
      },
      [&](int) { return mpi::fingerprint(Stencil(offsets.offsets()).to_text()); }, "the neighbourhood");
  state_ = std::make_shared<State>(exchange::Context::of(cart), offsets);
}

const Stencil& Neighborhood::offsets() const { return state_->offsets; }
const Grid& Neighborhood::grid() const { return state_->context->grid(); }

Neighborhood::State::State(std::shared_ptr<exchange::Context> its_context, Stencil its_offsets)
    : context(std::move(its_context)),
      offsets(std::move(its_offsets)),
      neighbours(exchange::neighbours_of(context->grid(), offsets, context->rank())),
      peers(exchange::peers_of(neighbours, context->rank(), context->nodes())) {}

const exchange::Shipments& Neighborhood::State::shipments() {
  if (!shipments_)
    shipments_ = exchange::shipments_of(context->grid(), offsets, context->nodes(), context->members(),
                                        context->node());
  return *shipments_;
}

const Schedule& Neighborhood::State::schedule(const std::string& algorithm, Operation operation) {
  const auto key = std::make_pair(algorithm, operation);
  auto known = schedules_.find(key);
  if (known == schedules_.end())
    known =
        schedules_
            .emplace(key, schedule::on(schedule::algorithm(algorithm), offsets, operation, context->grid()))
            .first;
  return known->second;
}

}  // namespace halocline
