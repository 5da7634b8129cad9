// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/mpi/cart.hpp"

#include "base/fail.hpp"
#include "mpi/communicators/cart_state.hpp"
#include "mpi/communicators/placed_cart.hpp"

#include <utility>

namespace halocline {

Cart::Cart(MPI_Comm comm, const Grid& grid, const Stencil& stencil, const CartOptions& options)
    : Cart(mpi::placed_cart(
          comm,
          [&] {
            require(options.halo.empty() && options.fixed.empty(),
                    "halo and fixed are options of a mesh; the Cart is made for the grid ", grid.to_text());
            return mpi::GridRequest{grid, stencil};
          },
          options)) {}

Cart::Cart(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil, const CartOptions& options)
    : Cart(mpi::placed_cart(
          comm,
          [&] {
            return mpi::MeshRequest{mesh, stencil, options.halo, options.fixed};
          },
          options)) {}

Cart::Cart(MPI_Comm comm, const Decomposition& cut, const Stencil& stencil, const CartOptions& options)
    : Cart(mpi::placed_cart(
          comm,
          [&] {
            require(options.fixed.empty(),
                    "fixed is an option of a mesh that is to be cut; this one is cut for ",
                    cut.grid().to_text());
            return mpi::MeshRequest{cut.mesh(), stencil, options.halo, cut.grid().extents(), false, cut};
          },
          options)) {}

Cart::Cart(std::unique_ptr<State> state, MPI_Info info) : state_(std::move(state)) { tell_plan(info); }
Cart::Cart() noexcept = default;
Cart::Cart(Cart&& other) noexcept = default;
Cart& Cart::operator=(Cart&& other) noexcept = default;
Cart::~Cart() = default;

Cart::State& Cart::state() const {
  require(state_ != nullptr, "the Cart is empty: it was made of nothing, or moved from; assign one to it");
  return *state_;
}

MPI_Comm Cart::comm() const { return state().comm.get(); }
MPI_Comm Cart::release() { return state().comm.release(); }
const Grid& Cart::grid() const { return state().grid; }
const Stencil& Cart::stencil() const { return state().stencil; }
const Cell& Cart::cell() const { return *state().cell; }
const Decomposition* Cart::decomposition() const {
  return state().decomposition ? &*state().decomposition : nullptr;
}
const Counts& Cart::halo() const { return state().halo; }
const std::string& Cart::algorithm() const { return state().algorithm; }
const Machine* Cart::machine() const { return state().machine ? &*state().machine : nullptr; }
const Placement* Cart::placement() const { return state().placement ? &*state().placement : nullptr; }
const Allocation* Cart::allocation() const { return state().allocation ? &*state().allocation : nullptr; }

}  // namespace halocline
