// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/neighborhood/context.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "exchange/neighborhood/machine_prices.hpp"
#include "exchange/progress/mpi_waiting.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/discovery/host.hpp"
#include "mpi/handles/attribute_cache.hpp"
#include "mpi/handles/comm.hpp"

#include <algorithm>
#include <utility>

namespace halocline::exchange {
namespace {

mpi::Comm duplicate(MPI_Comm comm) {
  mpi::Comm copy;
  HALOCLINE_MPI(Comm_dup, comm, copy.put());
  HALOCLINE_MPI(Comm_set_errhandler, copy.get(), MPI_ERRORS_RETURN);
  return copy;
}

/// Where all processes are.
struct Places {
  std::vector<int> positions;  ///< On the machine, in its node-sorted order.
  NodeMap nodes;               ///< 4 bytes a process, for the time the communicator lives.
  Rank first;                  ///< The process with the lowest rank in the world, whose environment counts.
  Count beside_first;          ///< Processes that share its processors, itself among them.
  Count largest_node;          ///< Processes of that.
};

Places gather_places(MPI_Comm comm, const Discovery& discovery) {
  struct Place {
    int position, world_rank, kernel;
  };
  const Place mine{to_int(discovery.position), mpi::rank(MPI_COMM_WORLD), mpi::kernel_number()};
  std::vector<Place> all(to_size(mpi::size(comm)));
  HALOCLINE_MPI(Allgather, &mine, 3, MPI_INT, all.data(), 3, MPI_INT, comm);
  const auto first = std::min_element(
      all.begin(), all.end(), [](const Place& a, const Place& b) { return a.world_rank < b.world_rank; });
  Places places{{}, {}, first - all.begin(), 0, 0};
  for (const Place& place : all) {
    places.positions.push_back(place.position);
    places.nodes.node_of.push_back(to_int(discovery.machine.node_of(place.position)));
    if (place.kernel == first->kernel) ++places.beside_first;
  }
  for (const Run& run : discovery.machine.node_sizes().runs())
    places.largest_node = std::max(places.largest_node, run.value);
  return places;
}

}  // namespace

using Contexts = mpi::AttributeCache<mpi::CommAttributes, std::shared_ptr<Context>,
                                     mpi::Duplicates::inherit_with_one_thread>;

std::shared_ptr<Context> Context::known(MPI_Comm cart) {
  const auto kept = Contexts::find(cart);
  return kept ? *kept : nullptr;
}

std::shared_ptr<Context> Context::of(MPI_Comm cart) {
  auto kept = Contexts::find(cart);
  if (!kept) {
    kept = std::make_shared<std::shared_ptr<Context>>(std::make_shared<Context>(cart));
    Contexts::keep(cart, kept);
  }
  return *kept;
}

Context::Context(MPI_Comm cart)
    : comm_(duplicate(cart)),
      grid_(mpi::grid_of(cart)),
      rank_(mpi::rank(cart)),
      progress_(Progress::of_process()),
      last_tag_(mpi::largest_tag()) {
  discovery_ = mpi::cached_discovery(comm_.get());
  Places places = gather_places(comm_.get(), *discovery_);
  nodes_ = std::move(places.nodes);
  first_ = places.first;
  const std::vector<std::string> levels = plan::other_levels(discovery_->machine);
  if (!levels.empty()) positions_ = std::move(places.positions);
  node_count_ = 1 + *std::max_element(nodes_.node_of.begin(), nodes_.node_of.end());
  for (std::size_t r = 0; r < nodes_.node_of.size(); ++r)
    if (nodes_.node_of[r] == node()) members_.push_back(to_count(r));
  node_comm_ = mpi::split(comm_.get(), node(), to_int(rank_));
  const bool first_is_here = nodes_[places.first] == node();
  prices_ = machine_prices(comm_.get(), node_comm_.get(),
                           {to_int(places.first), first_is_here, first_is_here ? member(places.first) : -1,
                            places.largest_node, places.beside_first, levels});
  progress_->expect_processes(members_.size());
  if (members_.size() == 1) return;
  memory_ = std::make_unique<NodeMemory>(node_comm_.get());
  foreign_ = ForeignMemory::open(node_comm_.get());
}

int Context::member(Rank rank) const {
  return to_int(std::lower_bound(members_.begin(), members_.end(), rank) - members_.begin());
}

plan::Sites Context::sites() const {
  if (positions_.empty()) return {};
  return {&discovery_->machine, [this](Count cell) { return Rank{positions_[to_index(cell)]}; }};
}

VotingBoard* Context::board() {
  if (several_nodes() || !memory_) return nullptr;
  if (!board_) board_ = VotingBoard::create(*memory_, to_int(members_.size()), member(rank_));
  return board_->get();
}

void Context::find_least(std::span<Count> numbers) const {
  progress_->wait(start_least(numbers, comm_.get()));
}

int Context::take_tags(int count) {
  if (next_tag_ > last_tag_ - count) next_tag_ = 0;
  const int first = next_tag_;
  next_tag_ += count;
  return first;
}

}  // namespace halocline::exchange
