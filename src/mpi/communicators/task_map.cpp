// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/mpi/task_map.hpp"
#include "base/numbers.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/join.hpp"
#include "halocline/base/error.hpp"
#include "mpi/communicators/cart_comm.hpp"
#include "mpi/communicators/shared_rotations.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/job_network.hpp"
#include "network/mapping_problem.hpp"
#include "network/routing/metrics.hpp"
#include "plan/options/option_names.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace halocline {
namespace {

constexpr Count unmoved = -1;

void require_task(const Task& task, int rank, int processes) {
  if (task.coordinates.empty() || task.coordinates.size() > Points::most_dimensions)
    fail(Fault::invalid_dimensions, "the task of rank ", rank, " has ", task.coordinates.size(),
         " coordinates; it takes 1..", Points::most_dimensions);
  for (std::size_t d = 0; d < task.coordinates.size(); ++d)
    require(std::isfinite(task.coordinates[d]), "coordinate ", d, " of the task of rank ", rank, " is ",
            task.coordinates[d], ", which is not finite");
  require(task.message_sizes.empty() || task.message_sizes.size() == task.neighbors.size(),
          "the task of rank ", rank, " has ", task.neighbors.size(), " neighbours and ",
          task.message_sizes.size(), " message sizes; it takes one for each, or none");
  for (const int neighbour : task.neighbors)
    require(0 <= neighbour && neighbour < processes, "the task of rank ", rank, " has the neighbour ",
            neighbour, ", which is not in 0..", processes - 1);
  for (const double size : task.message_sizes)
    require(std::isfinite(size) && size > 0, "the task of rank ", rank, " has a message of size ", size,
            ", which is not positive and finite");
}

/// Everyone's values, each of as many. @pre `mine` has the same size everywhere
template <class T>
std::vector<T> gathered(MPI_Comm comm, std::span<const T> mine, MPI_Datatype type) {
  std::vector<T> all(mine.size() * to_size(mpi::size(comm)));
  const int count = to_int(mine.size());
  HALOCLINE_MPI(Allgather, mine.data(), count, type, all.data(), count, type, comm);
  return all;
}

/// How many values each process has, and where they are when they stand one behind the other.
struct Shares {
  std::vector<int> counts;
  std::vector<int> starts;
  int total = 0;
};

Shares shares_of(MPI_Comm comm, std::size_t mine) {
  // A process with too many says so by a number that nobody has.
  constexpr auto most = to_size(std::numeric_limits<int>::max());
  const int count = mine <= most ? to_int(mine) : -1;
  Shares shares{gathered<int>(comm, {&count, 1}, MPI_INT), {}, 0};
  Count total = 0;
  for (const int each : shares.counts) {
    shares.starts.push_back(to_int(total));
    total += each;
    if (each < 0 || total > std::numeric_limits<int>::max())
      fail(Fault::unsupported, "the tasks have too many messages; there may be ",
           std::numeric_limits<int>::max());
  }
  shares.total = to_int(total);
  return shares;
}

template <class T>
std::vector<T> gathered(MPI_Comm comm, std::span<const T> mine, const Shares& shares, MPI_Datatype type) {
  std::vector<T> all(to_size(shares.total));
  HALOCLINE_MPI(Allgatherv, mine.data(), to_int(mine.size()), type, all.data(), shares.counts.data(),
                shares.starts.data(), type, comm);
  return all;
}

std::vector<TaskMessage> everyones_messages(MPI_Comm comm, const Task& task) {
  const Shares shares = shares_of(comm, task.neighbors.size());
  if (shares.total == 0) return {};
  const std::vector<double> ones(task.message_sizes.empty() ? task.neighbors.size() : 0, 1.0);
  const std::vector<int> to = gathered(comm, task.neighbors, shares, MPI_INT);
  const std::vector<double> sizes =
      gathered(comm, ones.empty() ? task.message_sizes : std::span<const double>(ones), shares, MPI_DOUBLE);
  std::vector<TaskMessage> messages;
  messages.reserve(to.size());
  for (std::size_t rank = 0; rank < shares.counts.size(); ++rank)
    for (int i = 0; i < shares.counts[rank]; ++i) {
      const std::size_t number = messages.size();
      messages.push_back({to_count(rank), to[number], sizes[number]});
    }
  return messages;
}

/// Nodes that are all equally far apart, if nobody says where they are.
mpi::JobNetwork network_or_star(const std::shared_ptr<const mpi::JobNetwork>& known, Count nodes) {
  if (known) return *known;
  return {Allocation::whole(Network(Network::FatTree{{{nodes}}})), "z2_1"};
}

Counts sizes_of(const Runs& nodes) {
  Counts sizes;
  for (const Run& run : nodes.runs()) sizes.insert(sizes.end(), to_size(run.repeats), run.value);
  return sizes;
}

}  // namespace

TaskMap map_task(MPI_Comm comm, const Task& task, const TaskMapOptions& options) {
  mpi::require_intracommunicator(comm);
  const int rank = mpi::rank(comm);
  const Count processes = mpi::size(comm);
  const mpi::JobNetworkWords words = mpi::agreed(
      comm,
      [&] {
        require_task(task, rank, to_int(processes));
        require(1 <= options.most_rotations && options.most_rotations <= std::numeric_limits<int>::max(),
                "at most ", options.most_rotations, " rotations; it takes 1..",
                std::numeric_limits<int>::max());
        return mpi::network_words(
            {options.network, options.allocation, options.mapping ? plan::name_of(*options.mapping) : ""},
            options.info);
      },
      [&](const mpi::JobNetworkWords& w) {
        return mpi::fingerprint(concat(task.coordinates.size(), " ", options.most_rotations, " ", w.text()));
      },
      "the number of coordinates, of rotations or the network");

  const auto discovery = mpi::cached_discovery(comm);
  const Runs& nodes = discovery->machine.node_sizes();
  const mpi::JobNetwork job = network_or_star(mpi::job_network(comm, *discovery, words), nodes.size());
  const std::vector<double> coordinates = gathered(comm, task.coordinates, MPI_DOUBLE);
  const Rank position = discovery->position;
  const Counts position_of_rank = gathered<Count>(comm, {&position, 1}, MPI_INT64_T);
  std::vector<TaskMessage> messages = everyones_messages(comm, task);
  const bool comparable = !messages.empty();

  std::optional<network::MappingProblem> problem;
  struct Tried {
    double hops_before;
    network::Score best;
  };
  const Tried tried = mpi::agreed(comm, [&]() -> Tried {
    const network::Variant& way = network::variant(job.mapping);
    const TaskMessages graph(processes, std::move(messages));
    problem.emplace(Points::interleaved(task.coordinates.size(), coordinates), graph, job.allocation,
                    sizes_of(nodes), way.view, way.options, way.aim);
    if (!comparable) return {0, {0, 0, 0}};
    const network::Score before = network::score_of(
        graph, job.allocation.network(), problem->node_of_task(position_of_rank), way.aim, unmoved);
    network::Score best = before;
    const auto [first, last] =
        mpi::share_of_rotations(comm, std::min(problem->rotations(), options.most_rotations));
    if (first < last) best = std::min(best, problem->best(first, last));
    return {before.weighted_hops, best};
  });
  const network::Score best = comparable ? mpi::least_score(comm, tried.best) : tried.best;
  if (best.rotation == unmoved) return {rank, best.weighted_hops, tried.hops_before};
  const Counts ranks = network::new_ranks(problem->core_of_task(best.rotation), processes);
  return {to_int(ranks[to_index(position)]), best.weighted_hops, tried.hops_before};
}

}  // namespace halocline
