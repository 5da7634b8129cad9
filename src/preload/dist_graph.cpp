// MPI_Dist_graph_create and _create_adjacent: a communicator that is made for neighbourhood collectives gets
// its links at once, so that its non-blocking collectives have them as well.

#include "preload/neighbor_call.hpp"
#include "preload/settings.hpp"
#include "preload/system.hpp"
#include "preload/takeover.hpp"

namespace halocline::preload {

int dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int source_weights[],
                               int outdegree, const int targets[], const int target_weights[], MPI_Info info,
                               int reorder, MPI_Comm* graph) {
  const int code = HALOCLINE_SYSTEM(Dist_graph_create_adjacent)(
      comm, indegree, sources, source_weights, outdegree, targets, target_weights, info, reorder, graph);
  if (code == MPI_SUCCESS) prepare_links(*graph);
  return code;
}

int dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int targets[],
                      const int weights[], MPI_Info info, int reorder, MPI_Comm* graph) {
  const int code =
      HALOCLINE_SYSTEM(Dist_graph_create)(comm, n, sources, degrees, targets, weights, info, reorder, graph);
  if (code == MPI_SUCCESS) prepare_links(*graph);
  return code;
}

}  // namespace halocline::preload
