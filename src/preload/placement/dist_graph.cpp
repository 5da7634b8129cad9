// SPDX-License-Identifier: BSD-3-Clause
// MPI_Dist_graph_create and _create_adjacent. A communicator that is made for neighbourhood collectives gets
// its streams at once: here all processes are present, while a process without edges may take no part in its
// collectives. With reorder, and if the user has asked for it as well, the processes are placed so that
// little crosses between nodes. The program's own wish is not enough: programs pass their neighbours
// themselves, so they seldom ask who they are afterwards, and MPIs hardly ever reorder.
//
// Edges are given between ranks of the old communicator. What is reordered are the processes: the one with
// rank r in the new communicator has the edges that were given for rank r of the old one, in their order.

#include "base/fail.hpp"
#include "base/numbers.hpp"
#include "mpi/discovery/cached_discovery.hpp"
#include "mpi/handles/comm.hpp"
#include "preload/neighbor/neighbor_call.hpp"
#include "preload/neighbor/topology.hpp"
#include "preload/placement/graph_order.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/settings.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace halocline::preload {
namespace {

/// The neighbours of one process on one side, with weights or without, as MPI is told.
struct Side {
  int degree;
  const int* ranks;
  const int* weights;

  [[nodiscard]] bool weighted() const { return weights != MPI_UNWEIGHTED; }
  /// Unusual values are left to MPI, which knows what to say about them.
  [[nodiscard]] bool sensible(int processes) const {
    if (degree < 0 || (degree > 0 && (ranks == nullptr || weights == nullptr))) return false;
    if (degree == 0) return true;
    if (weights == MPI_WEIGHTS_EMPTY) return false;
    return std::all_of(ranks, ranks + degree, [&](int rank) { return rank >= 0 && rank < processes; }) &&
           (!weighted() || std::all_of(weights, weights + degree, [](int weight) { return weight >= 0; }));
  }
  [[nodiscard]] int weight(int i) const { return weighted() ? weights[i] : 1; }
};

/// What MPI_Dist_graph_create_adjacent gets.
struct Adjacent {
  Side in, out;

  [[nodiscard]] bool weighted() const { return out.weighted(); }
  [[nodiscard]] bool sensible(int processes) const {
    return in.sensible(processes) && out.sensible(processes) && in.weighted() == out.weighted();
  }
  [[nodiscard]] GivenEdges edges(int rank) const {
    GivenEdges all;
    for (int i = 0; i < out.degree; ++i) {
      all.sources.push_back(rank);
      all.targets.push_back(out.ranks[i]);
      all.weights.push_back(out.weight(i));
    }
    return all;
  }
  void create(MPI_Comm ordered, int vertex, MPI_Info info, MPI_Comm* graph) const;
};

/// What MPI_Dist_graph_create gets.
struct ScatteredGraph {
  int n;
  const int *sources, *degrees, *targets, *weights;

  [[nodiscard]] bool weighted() const { return weights != MPI_UNWEIGHTED; }
  [[nodiscard]] bool sensible(int processes) const {
    if (!Side{n, sources, MPI_UNWEIGHTED}.sensible(processes) || (n > 0 && degrees == nullptr)) return false;
    if (!std::all_of(degrees, degrees + n, [](int degree) { return degree >= 0; })) return false;
    Count all = 0;
    for (const int degree : std::span(degrees, to_size(n))) all += degree;
    return all <= std::numeric_limits<int>::max() && Side{to_int(all), targets, weights}.sensible(processes);
  }
  [[nodiscard]] GivenEdges edges(int /*rank*/) const {
    GivenEdges all;
    for (int i = 0, edge = 0; i < n; ++i)
      for (const int end = edge + degrees[i]; edge < end; ++edge) {
        all.sources.push_back(sources[i]);
        all.targets.push_back(targets[edge]);
        all.weights.push_back(weighted() ? weights[edge] : 1);
      }
    return all;
  }
  /// Any process may give any edge: those of the old ranks are those of the new ones.
  void create(MPI_Comm ordered, int /*vertex*/, MPI_Info info, MPI_Comm* graph) const {
    HALOCLINE_MPI(Dist_graph_create, ordered, n, sources, degrees, targets, weights, info, 0, graph);
  }
};

constexpr int edges_tag = 0;

/// Ranks and weights of another process.
struct Received {
  std::vector<int> ranks, weights;
};

/// Sends one side of this process to the new owner of its vertex, and gets that of its own new vertex.
Received handed_over(MPI_Comm ordered, int to, const Side& mine) {
  const auto exchange = [&](const int* out, int out_count, std::vector<int>& in, int from) {
    MPI_Status status;
    HALOCLINE_MPI(Sendrecv, out, out_count, MPI_INT, to, edges_tag, in.data(), to_int(in.size()), MPI_INT,
                  from, edges_tag, ordered, &status);
    return status.MPI_SOURCE;
  };
  std::vector<int> degree(1);
  const int from = exchange(&mine.degree, 1, degree, MPI_ANY_SOURCE);
  Received received;
  received.ranks.resize(to_size(degree[0]));
  exchange(mine.ranks, mine.degree, received.ranks, from);
  if (!mine.weighted()) return received;
  received.weights.resize(received.ranks.size());
  exchange(mine.weights, mine.degree, received.weights, from);
  return received;
}

/// `ordered` has the new ranks: the edges of vertex v, which its old owner was told, go to rank v.
void Adjacent::create(MPI_Comm ordered, int vertex, MPI_Info info, MPI_Comm* graph) const {
  const Received from = handed_over(ordered, vertex, in), to = handed_over(ordered, vertex, out);
  // Who has no edges has no weights either, but must not say that the graph has none.
  const auto weights = [&](const Received& side) -> const int* {
    if (!weighted()) return MPI_UNWEIGHTED;
    return side.weights.empty() ? MPI_WEIGHTS_EMPTY : side.weights.data();
  };
  HALOCLINE_MPI(Dist_graph_create_adjacent, ordered, to_int(from.ranks.size()), from.ranks.data(),
                weights(from), to_int(to.ranks.size()), to.ranks.data(), weights(to), info, 0, graph);
}

/// Do all processes ask for it, alike, and is there more than one node? The same answer for all. Collective.
template <class Given>
bool worth_a_look(MPI_Comm comm, const Given& given, int reorder, Tally& tally) {
  const auto left = [&](const char* why) {
    tally.leave(why);
    return false;
  };
  const AgreedSettings told = agreed_settings(comm);
  if (!told.reorder) return left("HALOCLINE_REORDER is off");
  if (!told.graphs) return left(reorder != 0 ? "HALOCLINE_REORDER is not graphs" : "reorder is false");
  // Known on all processes if on one: nobody has to be asked.
  if (mpi::is_discovered(comm) && mpi::cached_discovery(comm)->machine.nodes() == 1)
    return left(reorder != 0 ? "one node" : "reorder is false");
  const bool sensible = given.sensible(mpi::size(comm));
  const int mine[] = {reorder != 0 ? 1 : 0, sensible && given.weighted() ? 1 : 0,
                      sensible && !given.weighted() ? 1 : 0};
  int all[] = {0, 0, 0};
  HALOCLINE_MPI(Allreduce, mine, all, 3, MPI_INT, MPI_MIN, comm);
  if (all[0] == 0) return left("reorder is false");
  if (all[1] == 0 && all[2] == 0) return left("unusual arguments");
  if (mpi::cached_discovery(comm)->machine.nodes() == 1) return left("one node");
  return true;
}

/// The graph with its processes in a better order; null if there is none. All ranks alike. Collective.
template <class Given>
mpi::Comm placed(MPI_Comm comm, const Given& given, MPI_Info info, Tally& tally) {
  mpi::Comm ordered, graph;
  const int rank = mpi::rank(comm);
  const NewRank found = better_rank(comm, given.edges(rank), *mpi::cached_discovery(comm));
  if (!found.account.empty()) note(found.account);
  if (found.rank < 0) {
    tally.leave("nothing to gain by placement");
    return graph;
  }
  // Not mpi::split: the program's error handler goes on to the graph.
  HALOCLINE_MPI(Comm_split, comm, 0, found.rank, ordered.put());
  given.create(ordered.get(), rank, info, graph.put());
  tally.take();
  return graph;
}

/// A call may come here again on its way to the system: by its other name, from a tool or from ourselves.
class Passage {
 public:
  Passage() : is_first_(!std::exchange(open_, true)) {}
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;
  ~Passage() {
    if (is_first_) open_ = false;
  }
  [[nodiscard]] bool is_first() const { return is_first_; }

 private:
  static thread_local bool open_;
  bool is_first_;
};
thread_local bool Passage::open_ = false;

template <class Given, class System>
int create(Tally& tally, const Given& given, MPI_Comm comm, MPI_Info info, int reorder, MPI_Comm* graph,
           const System& system) {
  const Passage passage;
  if (!passage.is_first()) return system();
  if (graph == nullptr || !is_intracommunicator(comm)) {
    tally.leave("unusual arguments");
    return system();
  }
  mpi::Comm made;
  try {
    if (worth_a_look(comm, given, reorder, tally)) made = placed(comm, given, info, tally);
  } catch (const std::exception& error) {
    tally.leave("it could not be placed");
    note(concat("a graph was left to MPI: ", error.what()));
  }
  int code = MPI_SUCCESS;
  if (made)
    *graph = made.release();
  else
    code = system();
  if (code == MPI_SUCCESS) prepare_streams(*graph, comm);
  return code;
}

}  // namespace

template <Prefix prefix>
int dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int source_weights[],
                               int outdegree, const int targets[], const int target_weights[], MPI_Info info,
                               int reorder, MPI_Comm* graph) {
  static Tally& tally = tally_of("MPI_Dist_graph_create_adjacent");
  const Adjacent given{{indegree, sources, source_weights}, {outdegree, targets, target_weights}};
  return create(tally, given, comm, info, reorder, graph, [&] {
    return HALOCLINE_SYSTEM_BY(prefix, Dist_graph_create_adjacent)(
        comm, indegree, sources, source_weights, outdegree, targets, target_weights, info, reorder, graph);
  });
}

template <Prefix prefix>
int dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int targets[],
                      const int weights[], MPI_Info info, int reorder, MPI_Comm* graph) {
  static Tally& tally = tally_of("MPI_Dist_graph_create");
  return create(tally, ScatteredGraph{n, sources, degrees, targets, weights}, comm, info, reorder, graph,
                [&] {
                  return HALOCLINE_SYSTEM_BY(prefix, Dist_graph_create)(comm, n, sources, degrees, targets,
                                                                        weights, info, reorder, graph);
                });
}

HALOCLINE_BOTH_WAYS(Dist_graph_create, dist_graph_create)
HALOCLINE_BOTH_WAYS(Dist_graph_create_adjacent, dist_graph_create_adjacent)

}  // namespace halocline::preload
