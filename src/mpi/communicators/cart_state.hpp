// SPDX-License-Identifier: BSD-3-Clause
// What a Cart is made of.
#pragma once

#include "base/fail.hpp"
#include "base/inside.hpp"
#include "base/join.hpp"
#include "halocline/mpi/cart.hpp"
#include "halocline/plan/plan.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/handle.hpp"
#include "plan/placement/grid_choice.hpp"

#include <optional>

namespace halocline {

struct HALOCLINE_INSIDE Cart::State {
  mpi::Comm comm;
  Grid grid;
  Stencil stencil;
  std::string algorithm;
  std::optional<Cell> cell;
  std::optional<Machine> machine;
  std::optional<Placement> placement;
  std::optional<Allocation> allocation = {};
  std::string wanted = {};            ///< What tells it from another placement of the same grid and stencil.
  std::string wanted_algorithm = {};  ///< A name, or "best".
  std::size_t candidates = 0;         ///< Grids that were compared; 0 if it was given.
  std::optional<plan::OnNetwork> network = {};
  bool by_plan = false;              ///< As the plan says that HALOCLINE_PLAN_USE names,
  std::string why_not_by_plan = {};  ///< or why not, if there is one.
  std::optional<Decomposition> decomposition = {};
  Counts halo = Counts(grid.dimensions(), 1);
  Counts fixed = {};                          ///< Extents that were given; 0 is free.
  std::optional<Stencil> given_stencil = {};  ///< Of a mesh: without the sizes of messages.

  /// All that must be the same on every rank.
  [[nodiscard]] std::uint64_t fingerprint() const {
    return mpi::fingerprint(concat(grid.to_text(), " ", stencil.to_text(), " ", algorithm, " ", wanted));
  }
  /// @pre placement
  [[nodiscard]] plan::Seating seating() const {
    return {
        grid, *placement, algorithm, wanted_algorithm, candidates, network, plan::that_sends(stencil, halo)};
  }
};

[[nodiscard]] inline Cart::State& state_of(const Cart& cart) { return cart.state(); }
/// The class keeps the name of it to itself.
using CartState = std::remove_cvref_t<decltype(state_of(std::declval<const Cart&>()))>;

}  // namespace halocline
