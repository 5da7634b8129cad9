// SPDX-License-Identifier: BSD-3-Clause
#include "preload/neighbor/topology.hpp"

#include "base/fail.hpp"
#include "base/index.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/call.hpp"
#include "mpi/handles/comm.hpp"
#include "preload/process/persistent_names.hpp"

#if defined(HALOCLINE_PERSISTENT_MPIX)
#include <mpi-ext.h>
#endif

#include <numeric>

namespace halocline::preload {
namespace {

Neighbors of_cart(MPI_Comm comm) {
  int dimensions = 0;
  HALOCLINE_MPI(Cartdim_get, comm, &dimensions);
  Neighbors found;
  for (int d = 0; d < dimensions; ++d) {
    int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
    HALOCLINE_MPI(Cart_shift, comm, d, 1, &below, &above);
    found.targets.insert(found.targets.end(), {below, above});
  }
  found.sources = found.targets;
  return found;
}

Neighbors of_graph(MPI_Comm comm) {
  int count = 0;
  const int me = mpi::rank(comm);
  HALOCLINE_MPI(Graph_neighbors_count, comm, me, &count);
  Neighbors found;
  found.targets.resize(to_size(count));
  HALOCLINE_MPI(Graph_neighbors, comm, me, count, found.targets.data());
  found.sources = found.targets;
  return found;
}

Neighbors of_distributed_graph(MPI_Comm comm) {
  int in = 0, out = 0, weighted = 0;
  HALOCLINE_MPI(Dist_graph_neighbors_count, comm, &in, &out, &weighted);
  Neighbors found{std::vector<int>(to_size(out)), std::vector<int>(to_size(in))};
  std::vector<int> in_weights(found.sources.size() + 1), out_weights(found.targets.size() + 1);
  HALOCLINE_MPI(Dist_graph_neighbors, comm, in, found.sources.data(), in_weights.data(), out,
                found.targets.data(), out_weights.data());
  return found;
}

/// Every process knows all edges of such a graph.
bool is_connected_graph(MPI_Comm comm) {
  int nodes = 0, edges = 0;
  HALOCLINE_MPI(Graphdims_get, comm, &nodes, &edges);
  std::vector<int> ends(to_size(nodes) + 1), targets(to_size(edges) + 1);
  HALOCLINE_MPI(Graph_get, comm, nodes, edges, ends.data(), targets.data());
  std::vector<int> parts(to_size(nodes));
  std::iota(parts.begin(), parts.end(), 0);
  const auto root = [&](int node) {
    while (parts[to_index(node)] != node) {
      int& part = parts[to_index(node)];
      node = part = parts[to_index(part)];
    }
    return node;
  };
  int left = nodes;
  for (int node = 0, edge = 0; node < nodes; ++node)
    for (; edge < ends[to_index(node)]; ++edge) {
      const int a = root(node), b = root(targets[to_index(edge)]);
      if (a == b) continue;
      parts[to_index(a)] = b;
      --left;
    }
  return left == 1;
}

/// What a process tells about a block: who it is and which of its blocks this is.
struct Label {
  int rank, block;
};

struct Rehearsal {
  MPI_Comm comm;
  std::vector<Label> out, in;
  std::vector<int> out_counts, in_counts, out_places, in_places;
  std::vector<MPI_Aint> out_bytes, in_bytes;
  std::vector<MPI_Datatype> out_types, in_types;

  Rehearsal(MPI_Comm its_comm, const Neighbors& neighbors) : comm(its_comm) {
    const int me = mpi::rank(comm);
    fill(neighbors.targets.size(), me, out, out_counts, out_places, out_bytes, out_types);
    fill(neighbors.sources.size(), -1, in, in_counts, in_places, in_bytes, in_types);
  }

  static void fill(std::size_t blocks, int rank, std::vector<Label>& labels, std::vector<int>& counts,
                   std::vector<int>& places, std::vector<MPI_Aint>& bytes, std::vector<MPI_Datatype>& types) {
    // Not even for a process without neighbours null: Open MPI would take that for an error.
    const auto reserve = [&](auto&... lists) { (lists.reserve(blocks + 1), ...); };
    reserve(labels, counts, places, bytes, types);
    for (std::size_t i = 0; i < blocks; ++i) {
      labels.push_back({rank, to_int(i)});
      counts.push_back(2);
      places.push_back(to_int(2 * i));
      bytes.push_back(static_cast<MPI_Aint>(i * sizeof(Label)));
      types.push_back(MPI_INT);
    }
  }

  /// Runs one collective into fresh labels and reads them.
  template <class Collective>
  Matches matches(const Neighbors& neighbors, const Collective& collective) {
    for (Label& label : in) label = {-1, -1};
    collective();
    Matches found;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const int source = neighbors.sources[i];
      if (source != MPI_PROC_NULL && in[i].rank != source)
        fail(Fault::internal, "a block of rank ", in[i].rank, " instead of one of rank ", source);
      found.push_back(in[i].block);
    }
    return found;
  }
};

}  // namespace

bool is_intracommunicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return false;
  int inter = 1;
  return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter == 0;
}

Neighbors neighbors_of(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  HALOCLINE_MPI(Topo_test, comm, &topology);
  if (topology == MPI_CART) return of_cart(comm);
  if (topology == MPI_GRAPH) return of_graph(comm);
  if (topology == MPI_DIST_GRAPH) return of_distributed_graph(comm);
  fail(Fault::invalid_topology, "the communicator has no topology");
}

bool is_known_to_be_connected(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  HALOCLINE_MPI(Topo_test, comm, &topology);
  return topology == MPI_CART || (topology == MPI_GRAPH && is_connected_graph(comm));
}

// All in the order of Call.

std::vector<Matches> blocking_matches(MPI_Comm comm, const Neighbors& neighbors, bool asks_alltoallw) {
  Rehearsal t(comm, neighbors);
  std::vector<Matches> found{
      t.matches(
          neighbors,
          [&] { HALOCLINE_MPI(Neighbor_alltoall, t.out.data(), 2, MPI_INT, t.in.data(), 2, MPI_INT, comm); }),
      t.matches(neighbors, [&] {
        HALOCLINE_MPI(Neighbor_alltoallv, t.out.data(), t.out_counts.data(), t.out_places.data(), MPI_INT,
                      t.in.data(), t.in_counts.data(), t.in_places.data(), MPI_INT, comm);
      })};
  found.push_back(asks_alltoallw ? t.matches(neighbors,
                                             [&] {
                                               HALOCLINE_MPI(Neighbor_alltoallw, t.out.data(),
                                                             t.out_counts.data(), t.out_bytes.data(),
                                                             t.out_types.data(), t.in.data(),
                                                             t.in_counts.data(), t.in_bytes.data(),
                                                             t.in_types.data(), comm);
                                             })
                                 : Matches(found.back()));
  return found;
}

std::vector<Matches> non_blocking_matches(MPI_Comm comm, const Neighbors& neighbors, bool asks_alltoallw) {
  Rehearsal t(comm, neighbors);
  MPI_Request request = MPI_REQUEST_NULL;
  const auto wait = [&] { HALOCLINE_MPI(Wait, &request, MPI_STATUS_IGNORE); };
  std::vector<Matches> found{t.matches(neighbors,
                                       [&] {
                                         HALOCLINE_MPI(Ineighbor_alltoall, t.out.data(), 2, MPI_INT,
                                                       t.in.data(), 2, MPI_INT, comm, &request);
                                         wait();
                                       }),
                             t.matches(neighbors, [&] {
                               HALOCLINE_MPI(Ineighbor_alltoallv, t.out.data(), t.out_counts.data(),
                                             t.out_places.data(), MPI_INT, t.in.data(), t.in_counts.data(),
                                             t.in_places.data(), MPI_INT, comm, &request);
                               wait();
                             })};
  found.push_back(asks_alltoallw ? t.matches(neighbors,
                                             [&] {
                                               HALOCLINE_MPI(Ineighbor_alltoallw, t.out.data(),
                                                             t.out_counts.data(), t.out_bytes.data(),
                                                             t.out_types.data(), t.in.data(),
                                                             t.in_counts.data(), t.in_bytes.data(),
                                                             t.in_types.data(), comm, &request);
                                               wait();
                                             })
                                 : Matches(found.back()));
  return found;
}

std::vector<Matches> persistent_matches([[maybe_unused]] MPI_Comm comm,
                                        [[maybe_unused]] const Neighbors& neighbors,
                                        [[maybe_unused]] bool asks_alltoallw) {
#if defined(HALOCLINE_PERSISTENT_PREFIX)
  Rehearsal t(comm, neighbors);
  MPI_Request request = MPI_REQUEST_NULL;
  const auto run = [&](int code) {
    mpi::check(code, "a persistent neighbourhood collective");
    HALOCLINE_MPI(Start, &request);
    HALOCLINE_MPI(Wait, &request, MPI_STATUS_IGNORE);
    HALOCLINE_MPI(Request_free, &request);
  };
  const auto& alltoall = HALOCLINE_PERSISTENT(P, Neighbor_alltoall_init);
  const auto& alltoallv = HALOCLINE_PERSISTENT(P, Neighbor_alltoallv_init);
  const auto& alltoallw = HALOCLINE_PERSISTENT(P, Neighbor_alltoallw_init);
  std::vector<Matches> found{
      t.matches(neighbors,
                [&] {
                  run(alltoall(t.out.data(), 2, MPI_INT, t.in.data(), 2, MPI_INT, comm, MPI_INFO_NULL,
                               &request));
                }),
      t.matches(neighbors, [&] {
        run(alltoallv(t.out.data(), t.out_counts.data(), t.out_places.data(), MPI_INT, t.in.data(),
                      t.in_counts.data(), t.in_places.data(), MPI_INT, comm, MPI_INFO_NULL, &request));
      })};
  found.push_back(asks_alltoallw
                      ? t.matches(neighbors,
                                  [&] {
                                    run(alltoallw(t.out.data(), t.out_counts.data(), t.out_bytes.data(),
                                                  t.out_types.data(), t.in.data(), t.in_counts.data(),
                                                  t.in_bytes.data(), t.in_types.data(), comm, MPI_INFO_NULL,
                                                  &request));
                                  })
                      : Matches(found.back()));
  return found;
#else
  return {};
#endif
}

}  // namespace halocline::preload
