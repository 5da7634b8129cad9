// SPDX-License-Identifier: BSD-3-Clause
#include "preload/placement/graph_order.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "base/settings.hpp"
#include "mpi/handles/comm.hpp"
#include "mpi/settings/info.hpp"
#include "place/graph/map_graph.hpp"
#include "plan/placement/placement_choice.hpp"
#include "plan/placement/reorder_choice.hpp"
#include "preload/placement/grid_of_graph.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::preload {
namespace {

constexpr int root = 0;

/// The numbers of all processes, one after the other, on the root.
template <class T>
std::vector<T> gathered(MPI_Comm comm, MPI_Datatype type, const std::vector<T>& mine,
                        const std::vector<int>& counts) {
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  std::vector<T> all(counts.empty() ? 0 : to_size(places.back() + counts.back()));
  HALOCLINE_MPI(Gatherv, mine.data(), to_int(mine.size()), type, all.data(), counts.data(), places.data(),
                type, root, comm);
  return all;
}

/// The whole graph and where its processes are; empty but on the root.
struct Gathered {
  TaskGraph graph;
  Counts positions;  ///< By rank.
};

/// Edges in any order, by their sources.
TaskGraph sorted(const GivenEdges& edges, int vertices) {
  TaskGraph graph;
  graph.starts.resize(to_size(vertices) + 1, 0);
  for (const int source : edges.sources) ++graph.starts[to_size(source) + 1];
  std::partial_sum(graph.starts.begin(), graph.starts.end(), graph.starts.begin());
  graph.targets.resize(edges.targets.size());
  graph.weights.resize(edges.weights.size());
  std::vector<std::size_t> next(graph.starts.begin(), graph.starts.end() - 1);
  for (std::size_t i = 0; i < edges.sources.size(); ++i) {
    const std::size_t place = next[to_index(edges.sources[i])]++;
    graph.targets[place] = edges.targets[i];
    graph.weights[place] = edges.weights[i];
  }
  return graph;
}

Gathered gather(MPI_Comm comm, const GivenEdges& mine, Rank position) {
  const int processes = mpi::rank(comm) == root ? mpi::size(comm) : 0;
  const std::vector<int> ones(to_size(processes), 1);
  const std::vector<int> counts = gathered<int>(comm, MPI_INT, {to_int(mine.targets.size())}, ones);
  const Counts positions = gathered<Count>(comm, MPI_INT64_T, {position}, ones);
  const GivenEdges all{gathered(comm, MPI_INT, mine.sources, counts),
                       gathered(comm, MPI_INT, mine.targets, counts),
                       gathered(comm, MPI_INT, mine.weights, counts)};
  return {sorted(all, processes), positions};
}

/// A vertex for every rank.
struct VertexOrder {
  std::vector<int> vertex_of;
  std::string by;
};

VertexOrder by_placement(const GridOfGraph& found, const Machine& machine, const Counts& positions) {
  const place::Problem problem(found.grid, found.stencil, machine);
  const plan::PlacementChoice placed = plan::choose_placement(
      problem, mpi::setting("", MPI_INFO_NULL, "", settings::place.variable, plan::best_placement.data()));
  VertexOrder order{{},
                    concat("the graph of ", found.stencil.size(), " offsets on the grid ",
                           found.grid.to_text(), " by ", placed.algorithm)};
  for (const Count position : positions)
    order.vertex_of.push_back(to_int(found.grid.index(placed.placement.cell(position))));
  return order;
}

/// Who is on the right node keeps its vertex.
VertexOrder by_nodes(const Counts& node_of_rank, const Counts& node_of_vertex, Count nodes) {
  VertexOrder order{std::vector<int>(node_of_rank.size(), -1), "a graph by bisection"};
  std::vector<std::vector<int>> open(to_size(nodes));
  for (std::size_t v = node_of_vertex.size(); v-- > 0;) {
    if (node_of_vertex[v] == node_of_rank[v])
      order.vertex_of[v] = to_int(v);
    else
      open[to_index(node_of_vertex[v])].push_back(to_int(v));
  }
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    if (order.vertex_of[rank] >= 0) continue;
    std::vector<int>& here = open[to_index(node_of_rank[rank])];
    order.vertex_of[rank] = here.back();
    here.pop_back();
  }
  return order;
}

/// Processes wait for the graph: a tenth of the usual work gives almost all that there is to gain.
constexpr double mapping_effort = 0.1;

/// The node of each vertex.
Counts mapped_nodes(const TaskGraph& graph, const Machine& machine) {
  std::vector<place::Message> messages;
  messages.reserve(graph.targets.size());
  for (std::size_t v = 0; v < graph.vertices(); ++v)
    for (std::size_t i = 0; i < graph.targets_of(v).size(); ++i)
      messages.push_back({to_count(v), graph.targets_of(v)[i], graph.weights_of(v)[i]});
  const auto nodes = Machine::of_nodes(machine.node_sizes());
  const place::GraphMapping mapping =
      place::map_graph({to_count(graph.vertices()), messages}, nodes, {.effort = mapping_effort});
  Counts node_of_vertex;
  for (const Rank seat : mapping.seats) node_of_vertex.push_back(nodes.node_of(seat));
  return node_of_vertex;
}

struct Decision {
  std::vector<int> vertex_of;  ///< Empty: everyone stays.
  std::string account;
};

Decision decide(const Gathered& all, const Machine& machine) {
  Counts node_of_rank;
  for (const Count position : all.positions) node_of_rank.push_back(machine.node_of(position));
  const Count before = crossing(all.graph, node_of_rank);
  std::optional<GridOfGraph> grid;
  const auto is_grid = [&] { return (grid = grid_of(all.graph)).has_value(); };
  const plan::GraphOrderChoice choice = plan::choose_graph_order({before, is_grid});
  if (choice.order == plan::GraphOrder::none) return {{}, choice.why_none};
  VertexOrder order = choice.order == plan::GraphOrder::placement
                          ? by_placement(*grid, machine, all.positions)
                          : by_nodes(node_of_rank, mapped_nodes(all.graph, machine), machine.nodes());
  Counts node_of_vertex(node_of_rank.size());
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank)
    node_of_vertex[to_index(order.vertex_of[rank])] = node_of_rank[rank];
  const Count after = crossing(all.graph, node_of_vertex);
  const std::string account = concat(order.by, ": between nodes ", before, " -> ", after);
  if (!plan::pays_to_renumber(before, after)) return {{}, account + ", so all stay where they are"};
  return {std::move(order.vertex_of), "placed " + account};
}

}  // namespace

NewRank better_rank(MPI_Comm comm, const GivenEdges& edges, const Discovery& discovery) {
  Count mine = count_of(edges.targets), sum = 0;
  HALOCLINE_MPI(Allreduce, &mine, &sum, 1, MPI_INT64_T, MPI_SUM, comm);
  if (!plan::is_gathered(sum))
    return {-1, concat("a graph of ", sum, " edges, more than ", plan::most_gathered_edges)};
  const Gathered all = gather(comm, edges, discovery.position);
  NewRank result;
  std::vector<int> vertex_of;
  if (mpi::rank(comm) == root) {
    // Whatever goes wrong here, the others wait for an answer.
    try {
      Decision decision = decide(all, discovery.machine);
      vertex_of = std::move(decision.vertex_of);
      result.account = std::move(decision.account);
    } catch (const std::exception& error) {
      result.account = concat("a graph was not placed: ", error.what());
    }
    if (vertex_of.empty()) vertex_of.assign(all.positions.size(), -1);
  }
  HALOCLINE_MPI(Scatter, vertex_of.data(), 1, MPI_INT, &result.rank, 1, MPI_INT, root, comm);
  return result;
}

}  // namespace halocline::preload
