#include "exchange/context.hpp"

#include "exchange/asking.hpp"
#include "exchange/machine_prices.hpp"
#include "halocline/base/error.hpp"
#include "mpi/attribute_cache.hpp"
#include "mpi/cached_discovery.hpp"
#include "mpi/cart_comm.hpp"
#include "mpi/comm.hpp"

#include <algorithm>
#include <unordered_map>

namespace halocline::exchange {
namespace {

mpi::Comm duplicate(MPI_Comm comm) {
  mpi::Comm copy;
  HALOCLINE_MPI(Comm_dup, comm, copy.put());
  HALOCLINE_MPI(Comm_set_errhandler, copy.get(), MPI_ERRORS_RETURN);
  return copy;
}

/// The node of each rank: 4 bytes a process, for the time the communicator lives. And the process with the
/// lowest rank in the world, whose environment counts.
NodeMap gather_nodes(MPI_Comm comm, Rank& first) {
  struct Place {
    int node, world_rank;
  };
  const auto discovery = mpi::cached_discovery(comm);
  const Machine& machine = discovery->machine;
  const Place mine{static_cast<int>(machine.sizes(machine.node_level()).find(discovery->position)),
                   mpi::rank(MPI_COMM_WORLD)};
  std::vector<Place> all(static_cast<std::size_t>(mpi::size(comm)));
  HALOCLINE_MPI(Allgather, &mine, 2, MPI_INT, all.data(), 2, MPI_INT, comm);
  NodeMap nodes;
  nodes.node_of.reserve(all.size());
  for (const Place& place : all) nodes.node_of.push_back(place.node);
  first = std::min_element(all.begin(), all.end(),
                           [](const Place& a, const Place& b) { return a.world_rank < b.world_rank; }) -
          all.begin();
  return nodes;
}

std::size_t largest_group(const NodeMap& nodes) {
  std::unordered_map<int, std::size_t> sizes;
  std::size_t largest = 0;
  for (const int node : nodes.node_of) largest = std::max(largest, ++sizes[node]);
  return largest;
}

int largest_tag() {
  int* value = nullptr;
  int found = 0;
  HALOCLINE_MPI(Comm_get_attr, MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found);
  return found ? *value : 32767;
}

}  // namespace

std::shared_ptr<Context> Context::of(MPI_Comm cart) {
  using Cache = mpi::CommCache<std::shared_ptr<Context>>;
  auto kept = Cache::find(cart);
  if (!kept) {
    kept = std::make_shared<std::shared_ptr<Context>>(std::make_shared<Context>(cart));
    Cache::keep(cart, kept);
  }
  return *kept;
}

Context::Context(MPI_Comm cart)
    : comm_(duplicate(cart)),
      grid_(mpi::grid_of(cart)),
      rank_(mpi::rank(cart)),
      nodes_(gather_nodes(comm_.get(), first_)),
      largest_node_(largest_group(nodes_)),
      progress_(Progress::of_process()),
      last_tag_(largest_tag()) {
  for (std::size_t r = 0; r < nodes_.node_of.size(); ++r)
    if (nodes_.node_of[r] == node()) members_.push_back(static_cast<Rank>(r));
  node_comm_ = mpi::split(comm_.get(), node(), static_cast<int>(rank_));
  const bool first_is_here = nodes_[first_] == node();
  prices_ = machine_prices(comm_.get(), node_comm_.get(),
                           {static_cast<int>(first_), first_is_here, first_is_here ? member(first_) : -1,
                            static_cast<Count>(largest_node_)});
  progress_->expect_processes(members_.size());
  if (members_.size() > 1) memory_ = std::make_unique<NodeMemory>(node_comm_.get());
}

int Context::member(Rank rank) const {
  return static_cast<int>(std::lower_bound(members_.begin(), members_.end(), rank) - members_.begin());
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
