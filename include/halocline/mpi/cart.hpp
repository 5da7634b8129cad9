// SPDX-License-Identifier: BSD-3-Clause
// The communicator of a stencil code: a Cartesian grid of processes, each where it belongs.
#pragma once

#include "halocline/api.h"
#include "halocline/base/cxx20.hpp"
#include "halocline/describe/allocation.hpp"
#include "halocline/describe/decomposition.hpp"
#include "halocline/describe/machine.hpp"
#include "halocline/describe/mesh.hpp"
#include "halocline/describe/network.hpp"
#include "halocline/describe/stencil.hpp"
#include "halocline/place/placement.hpp"
#include "halocline/plan/option_types.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>

namespace halocline {
namespace plan {
struct Explanation;  // halocline/plan/explanation.hpp
}

struct CartOptions {
  /// Without reordering rank r of the communicator gets cell r, as MPI_Cart_create would have it.
  bool reorder = true;
  /// For a mesh: the widths of the halos that its grid is chosen for, and that fields have unless they say
  /// otherwise; 1 each if there are none.
  Counts halo = {};
  /// For a mesh: positive entries are extents of the grid that stay, the others are chosen.
  Counts fixed = {};
  /// If not given, what the key halocline_place of `info` says, else the environment variable HALOCLINE_PLACE
  /// of the process with the lowest rank in MPI_COMM_WORLD, else `best`.
  std::optional<PlacementAlgorithm> algorithm = {};
  /// The network between the nodes, as Network::parse reads it, or "none". If it is known, nodes that are
  /// alike change places so that messages travel less far, see docs/network.md. If empty, the key
  /// halocline_network of `info`, else HALOCLINE_NETWORK on rank 0.
  std::string network = {};
  /// The file that says where the nodes are in the network, see docs/network.md; rank 0 reads it.
  /// With names, they are matched with MPI_Get_processor_name of the nodes; without, there is a line for each
  /// node, in the order of their lowest ranks. May be left out if the job has the whole network, in its
  /// order. If empty, the key halocline_allocation of `info`, else HALOCLINE_ALLOCATION on rank 0.
  std::string allocation = {};
  /// What crosses between nodes is the same with every mapping, unless it is `links` and the algorithm
  /// `best`: then the fullest link decides about the placement as well, see docs/network.md. If not given,
  /// the key halocline_mapping of `info`, else HALOCLINE_MAPPING on rank 0, else z2_1.
  std::optional<NodeMapping> mapping = {};
  /// A further key: halocline_plan, else HALOCLINE_PLAN. With "print" rank 0 of the communicator it is made
  /// from says on stderr what was decided. HALOCLINE_PLAN_USE names a plan that is obeyed, see docs/plan.md.
  MPI_Info info = MPI_INFO_NULL;
};

/// A Cartesian communicator whose processes are placed so that little is sent between nodes, whatever the
/// order of ranks it is made from. Owns the communicator: destroy it before MPI_Finalize, on all ranks alike.
/// An empty one, made of nothing or moved from, throws Error{invalid_argument} whatever else it is asked for
/// than empty().
class HALOCLINE_API Cart {
 public:
  /// Places a given grid. If it has fewer cells than `comm` has processes, those left over take no part.
  /// Collective over `comm`. Throws the same Error on every rank: invalid_dimensions if the grid has more
  /// cells than there are processes, or the stencil another dimension; invalid_argument for options of a
  /// mesh, an unknown algorithm or mapping, a network or allocation that cannot be read or does not fit the
  /// nodes, or arguments that differ between ranks; as discover().
  Cart(MPI_Comm comm, const Grid& grid, const Stencil& stencil, const CartOptions& options = {});

  /// Chooses the grid as well, for a mesh with halos of the widths that the options name: that which sends
  /// the fewest bytes between nodes once it is placed. All processes take part, each
  /// with a box of points: there must be as many points as processes along every dimension of the grid.
  /// Without reordering the grid is the best one for the mesh alone.
  Cart(MPI_Comm comm, const Mesh& mesh, const Stencil& stencil, const CartOptions& options = {});

  /// Places the grid of a mesh that is cut as said, in slabs of any sizes: for work that differs from place
  /// to place. Sizes of messages are rated as if slabs were even. Throws also Error{invalid_dimensions} if
  /// the grid does not have as many cells as there are processes; invalid_argument if options fix extents, or
  /// ranks give different cuts.
  Cart(MPI_Comm comm, const Decomposition& cut, const Stencil& stencil, const CartOptions& options = {});

  /// No communicator, until another Cart is assigned to it. Local.
  Cart() noexcept;
  /// Is it one of nothing, or was it moved from?
  [[nodiscard]] bool empty() const noexcept { return state_ == nullptr; }

  Cart(Cart&& other) noexcept;
  Cart& operator=(Cart&& other) noexcept;
  ~Cart();

  /// The communicator, with MPI's Cartesian topology; MPI_COMM_NULL where the process takes no part.
  [[nodiscard]] MPI_Comm comm() const;
  [[nodiscard]] bool takes_part() const { return comm() != MPI_COMM_NULL; }
  /// Gives the communicator away; the caller frees it.
  [[nodiscard]] MPI_Comm release();

  [[nodiscard]] const Grid& grid() const;
  [[nodiscard]] const Stencil& stencil() const;
  /// The cell of this process. @pre takes_part()
  [[nodiscard]] const Cell& cell() const;
  /// Which points of the mesh belong to which process; null if the grid was given, not a mesh.
  [[nodiscard]] const Decomposition* decomposition() const;
  /// The widths of the halos that the grid was chosen for; ones if none were given.
  [[nodiscard]] const Counts& halo() const;
  /// The algorithm that placed: its name, or "none" without reordering.
  [[nodiscard]] const std::string& algorithm() const;
  /// The machine of the processes that take part, and where each rank of its node-sorted order is in the
  /// grid; null without reordering, which needs neither.
  [[nodiscard]] const Machine* machine() const;
  [[nodiscard]] const Placement* placement() const;
  /// Where the nodes of machine() are in the network; null if none was described, or without reordering.
  [[nodiscard]] const Allocation* allocation() const;

  /// What was decided, and why, beside what MPI gives by default: for a mesh what `halocline plan` prints,
  /// with the schedule that one field of 8 bytes a point would get at these prices; for a grid the same for
  /// blocks as large as the weights of the stencil. Local; without reordering collective over comm(). Throws
  /// Error{invalid_argument} on a process that takes no part without reordering; as plan::plan_for.
  [[nodiscard]] plan::Explanation plan(const LevelCosts& prices = {}) const;

 private:
  struct State;
  friend Cart cart_of(std::unique_ptr<State> state, MPI_Info info);
  friend State& state_of(const Cart& cart);

  Cart(std::unique_ptr<State> state, MPI_Info info);
  [[nodiscard]] State& state() const;
  /// On stderr, if the key halocline_plan of `info` or HALOCLINE_PLAN asks for it. Local.
  void tell_plan(MPI_Info info) const;

  std::unique_ptr<State> state_;
};

/// What crosses between nodes when the processes of a Cartesian communicator talk along a stencil, by
/// weights.
struct InternodeCost {
  Count total;    ///< Sum over all nodes of what leaves them: J_sum.
  Count largest;  ///< The most that leaves one node: J_max.
  bool operator==(const InternodeCost&) const = default;
};

/// The exact cost of any Cartesian communicator, however it was made. Collective; O(k) messages and memory a
/// process for k offsets. Throws Error{invalid_topology} if `cart` is not Cartesian, invalid_dimensions if
/// the stencil has another dimension, on every rank.
[[nodiscard]] HALOCLINE_API InternodeCost internode_cost(MPI_Comm cart, const Stencil& stencil);

}  // namespace halocline
