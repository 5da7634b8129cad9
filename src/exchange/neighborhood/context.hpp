// SPDX-License-Identifier: BSD-3-Clause
// What every exchange on a Cartesian communicator needs, worked out once and kept on it.
#pragma once

#include "exchange/memory/foreign_memory.hpp"
#include "exchange/memory/node_memory.hpp"
#include "exchange/memory/voting_board.hpp"
#include "exchange/neighborhood/peers.hpp"
#include "exchange/progress/progress.hpp"
#include "halocline/mpi/discover.hpp"
#include "halocline/schedule/level_costs.hpp"
#include "mpi/handles/handle.hpp"
#include "plan/prices/pair_prices.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace halocline::exchange {

class Context {
 public:
  /// That of `cart`. Collective the first time, local afterwards; shared by duplicates of the communicator,
  /// unless MPI takes calls of several threads, which may use two of them at once. Throws
  /// Error{invalid_topology} if the communicator has no Cartesian topology of at least one dimension.
  [[nodiscard]] static std::shared_ptr<Context> of(MPI_Comm cart);
  /// Null if nobody has asked for that yet. Local.
  [[nodiscard]] static std::shared_ptr<Context> known(MPI_Comm cart);

  explicit Context(MPI_Comm cart);

  /// For messages of this library alone.
  [[nodiscard]] MPI_Comm comm() const { return comm_.get(); }
  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] Rank rank() const { return rank_; }
  /// Is this the process with the lowest rank in MPI_COMM_WORLD, whose environment counts?
  [[nodiscard]] bool is_first() const { return rank_ == first_; }

  [[nodiscard]] const NodeMap& nodes() const { return nodes_; }
  [[nodiscard]] int node() const { return nodes_[rank_]; }
  [[nodiscard]] bool several_nodes() const { return members_.size() < nodes_.node_of.size(); }
  /// All node numbers are less.
  [[nodiscard]] int node_count() const { return node_count_; }
  /// The ranks of this node, increasing; a process is its index here to the node memory.
  [[nodiscard]] const std::vector<Rank>& members() const { return members_; }
  /// @pre the rank is on this node
  [[nodiscard]] int member(Rank rank) const;

  /// Where the processes sit, as far as levels of the machine besides its nodes tell them apart.
  [[nodiscard]] plan::Sites sites() const;

  /// What messages cost on this machine: the same on all processes.
  [[nodiscard]] const LevelCosts& prices() const { return prices_; }

  /// Null if the process is alone on its node.
  [[nodiscard]] NodeMemory* memory() const { return memory_.get(); }
  /// Null if processes of the node cannot read each other's memory, or the process is alone there.
  [[nodiscard]] const ForeignMemory* foreign() const { return foreign_.get(); }
  /// Where all processes vote; null if they are not all on one node, or cannot share memory. Collective the
  /// first time.
  [[nodiscard]] VotingBoard* board();
  [[nodiscard]] Progress& progress() const { return *progress_; }

  /// Replaces each number by the least of all processes. Collective; what is under way here goes on
  /// meanwhile.
  void find_least(std::span<Count> numbers) const;

  /// The first of `count` tags that no other operation uses. The same on all processes, which create
  /// operations in the same order.
  [[nodiscard]] int take_tags(int count);
  /// A number that no other field has; the same on all processes, which create fields in the same order.
  [[nodiscard]] Count take_field_number() { return next_field_++; }

 private:
  mpi::Comm comm_;
  mpi::Comm node_comm_;
  Grid grid_;
  Rank rank_;
  Rank first_ = 0;
  NodeMap nodes_;
  std::shared_ptr<const Discovery> discovery_;
  std::vector<int> positions_;  ///< Of all processes on the machine; empty if it has no such levels.
  std::vector<Rank> members_;
  int node_count_ = 0;
  LevelCosts prices_;
  std::unique_ptr<NodeMemory> memory_;
  std::unique_ptr<ForeignMemory> foreign_;
  std::optional<std::unique_ptr<VotingBoard>> board_;  ///< None before it is asked for.
  std::shared_ptr<Progress> progress_;
  int next_tag_ = 0, last_tag_;
  Count next_field_ = 0;
};

}  // namespace halocline::exchange
