// The table of what is taken over, and the one function that the preload library knows of this module.

#include "preload/process/takeover.hpp"

#include "preload/fortran/doors.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/persistent_names.hpp"
#include "preload/process/settings.hpp"
#include "preload/process/system.hpp"
#include "preload/process/under_way.hpp"
#include "preload/types/committed_types.hpp"

#include <string_view>

namespace halocline::preload {
namespace {

struct Row {
  std::string_view name;
  Feature feature;
  void* function;
  bool (*also)() = nullptr;  ///< Another reason to take it over: links.
};

template <class F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

bool wants_links() { return is_on(Feature::neighbor); }

/// Processes agree on what they do in these calls, or rank 0 has told: one that is told to keep out must tell
/// the others.
bool always() { return true; }

/// A call about requests: straight to the system as long as none of them needs us.
template <auto ours, auto& known>
struct Quick;
template <class... Arguments, int (*ours)(Arguments...), std::atomic<int (*)(Arguments...)>& known>
struct Quick<ours, known> {
  static int call(Arguments... arguments) {
    const auto system = known.load(std::memory_order_relaxed);
    if (system == nullptr || any_under_way()) return ours(arguments...);
    return system(arguments...);
  }
};

/// One row for each call; where the feature is off there is none, but for neighbourhood collectives, on which
/// processes agree.
const Row rows[] = {
    {"MPI_Cart_create", Feature::reorder, address(cart_create), always},
    {"MPI_Dims_create", Feature::reorder, address(dims_create), always},
    {"MPI_Neighbor_alltoall", Feature::neighbor, address(neighbor_alltoall)},
    {"MPI_Ineighbor_alltoall", Feature::neighbor, address(ineighbor_alltoall)},
    {"MPI_Neighbor_alltoallv", Feature::neighbor, address(neighbor_alltoallv)},
    {"MPI_Ineighbor_alltoallv", Feature::neighbor, address(ineighbor_alltoallv)},
    {"MPI_Neighbor_alltoallw", Feature::neighbor, address(neighbor_alltoallw)},
    {"MPI_Ineighbor_alltoallw", Feature::neighbor, address(ineighbor_alltoallw)},
    {"MPI_Neighbor_allgather", Feature::neighbor, address(neighbor_allgather)},
    {"MPI_Ineighbor_allgather", Feature::neighbor, address(ineighbor_allgather)},
    {"MPI_Neighbor_allgatherv", Feature::neighbor, address(neighbor_allgatherv)},
    {"MPI_Ineighbor_allgatherv", Feature::neighbor, address(ineighbor_allgatherv)},
#if defined(HALOCLINE_PERSISTENT_PREFIX)
    {HALOCLINE_PERSISTENT_NAME(Neighbor_alltoall_init), Feature::neighbor, address(neighbor_alltoall_init)},
    {HALOCLINE_PERSISTENT_NAME(Neighbor_alltoallv_init), Feature::neighbor, address(neighbor_alltoallv_init)},
    {HALOCLINE_PERSISTENT_NAME(Neighbor_alltoallw_init), Feature::neighbor, address(neighbor_alltoallw_init)},
    {HALOCLINE_PERSISTENT_NAME(Neighbor_allgather_init), Feature::neighbor, address(neighbor_allgather_init)},
    {HALOCLINE_PERSISTENT_NAME(Neighbor_allgatherv_init), Feature::neighbor,
     address(neighbor_allgatherv_init)},
#endif
    {"MPI_Dist_graph_create", Feature::reorder, address(dist_graph_create<Way::plain>), always},
    {"PMPI_Dist_graph_create", Feature::reorder, address(dist_graph_create<Way::profiling>), always},
    {"MPI_Dist_graph_create_adjacent", Feature::reorder, address(dist_graph_create_adjacent<Way::plain>),
     always},
    {"PMPI_Dist_graph_create_adjacent", Feature::reorder, address(dist_graph_create_adjacent<Way::profiling>),
     always},
    {"MPI_Comm_dup", Feature::neighbor, address(comm_dup<Way::plain>)},
    {"PMPI_Comm_dup", Feature::neighbor, address(comm_dup<Way::profiling>)},
    {"MPI_Comm_dup_with_info", Feature::neighbor, address(comm_dup_with_info<Way::plain>)},
    {"PMPI_Comm_dup_with_info", Feature::neighbor, address(comm_dup_with_info<Way::profiling>)},
    {"MPI_Pack", Feature::types, address(pack)},
    {"MPI_Unpack", Feature::types, address(unpack)},
    {"MPI_Finalize", Feature::log, address(finalize)},
    {"MPI_Type_commit", Feature::types, address(type_commit)},
    {"MPI_Send", Feature::types, address(send)},
    {"MPI_Ssend", Feature::types, address(ssend)},
    {"MPI_Recv", Feature::types, address(recv)},
    {"MPI_Sendrecv", Feature::types, address(sendrecv)},
    {"MPI_Isend", Feature::types, address(isend)},
    {"MPI_Issend", Feature::types, address(issend)},
    {"MPI_Irecv", Feature::types, address(irecv)},
    {"MPI_Send_init", Feature::types, address(send_init)},
    {"MPI_Ssend_init", Feature::types, address(ssend_init)},
    {"MPI_Recv_init", Feature::types, address(recv_init)},
#if defined(HALOCLINE_FORTRAN_DOORS)
    {"mpi_cart_create", Feature::reorder, address(fortran::cart_create), always},
    {"mpi_dims_create", Feature::reorder, address(fortran::dims_create), always},
    {"mpi_dist_graph_create_adjacent", Feature::reorder, address(fortran::dist_graph_create_adjacent),
     always},
    {"mpi_dist_graph_create", Feature::reorder, address(fortran::dist_graph_create), always},
    {"mpi_comm_dup", Feature::neighbor, address(fortran::comm_dup)},
    {"mpi_finalize", Feature::log, address(fortran::finalize)},
    {"mpi_pack", Feature::types, address(fortran::pack)},
    {"mpi_unpack", Feature::types, address(fortran::unpack)},
    {"mpi_type_commit", Feature::types, address(fortran::type_commit)},
    {"mpi_send", Feature::types, address(fortran::send)},
    {"mpi_recv", Feature::types, address(fortran::recv)},
    {"mpi_sendrecv", Feature::types, address(fortran::sendrecv)},
    {"mpi_isend", Feature::types, address(fortran::isend)},
    {"mpi_issend", Feature::types, address(fortran::issend)},
    {"mpi_irecv", Feature::types, address(fortran::irecv)},
    {"mpi_send_init", Feature::types, address(fortran::send_init)},
    {"mpi_ssend_init", Feature::types, address(fortran::ssend_init)},
    {"mpi_recv_init", Feature::types, address(fortran::recv_init)},
    {"mpi_neighbor_alltoall", Feature::neighbor, address(fortran::neighbor_alltoall)},
    {"mpi_ineighbor_alltoall", Feature::neighbor, address(fortran::ineighbor_alltoall)},
    {"mpi_neighbor_alltoallv", Feature::neighbor, address(fortran::neighbor_alltoallv)},
    {"mpi_ineighbor_alltoallv", Feature::neighbor, address(fortran::ineighbor_alltoallv)},
    {"mpi_neighbor_alltoallw", Feature::neighbor, address(fortran::neighbor_alltoallw)},
    {"mpi_ineighbor_alltoallw", Feature::neighbor, address(fortran::ineighbor_alltoallw)},
    {"mpi_neighbor_allgather", Feature::neighbor, address(fortran::neighbor_allgather)},
    {"mpi_ineighbor_allgather", Feature::neighbor, address(fortran::ineighbor_allgather)},
    {"mpi_neighbor_allgatherv", Feature::neighbor, address(fortran::neighbor_allgatherv)},
    {"mpi_ineighbor_allgatherv", Feature::neighbor, address(fortran::ineighbor_allgatherv)},
#if defined(HALOCLINE_PERSISTENT_PREFIX)
    {HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_alltoall_init), Feature::neighbor,
     address(fortran::neighbor_alltoall_init)},
    {HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_alltoallv_init), Feature::neighbor,
     address(fortran::neighbor_alltoallv_init)},
    {HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_alltoallw_init), Feature::neighbor,
     address(fortran::neighbor_alltoallw_init)},
    {HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_allgather_init), Feature::neighbor,
     address(fortran::neighbor_allgather_init)},
    {HALOCLINE_PERSISTENT_FORTRAN_NAME(neighbor_allgatherv_init), Feature::neighbor,
     address(fortran::neighbor_allgatherv_init)},
#endif
#endif
// clang-format off
// NOLINTBEGIN(bugprone-macro-parentheses): a name and a template
#define HALOCLINE_ROW(prefix, name, way, function) \
    {prefix #name, Feature::types, address(Quick<function<way>, HALOCLINE_KNOWN_SYSTEM(way, name)>::call), wants_links},
#define HALOCLINE_COMPLETION(name, function) \
    HALOCLINE_ROW("MPI_", name, Way::plain, function) HALOCLINE_ROW("PMPI_", name, Way::profiling, function)
    HALOCLINE_COMPLETION(Start, start)
    HALOCLINE_COMPLETION(Startall, startall)
    HALOCLINE_COMPLETION(Request_free, request_free)
    HALOCLINE_COMPLETION(Cancel, cancel)
    HALOCLINE_COMPLETION(Request_get_status, request_get_status)
    HALOCLINE_COMPLETION(Wait, wait)
    HALOCLINE_COMPLETION(Test, test)
    HALOCLINE_COMPLETION(Waitany, waitany)
    HALOCLINE_COMPLETION(Testany, testany)
    HALOCLINE_COMPLETION(Waitall, waitall)
    HALOCLINE_COMPLETION(Testall, testall)
    HALOCLINE_COMPLETION(Waitsome, waitsome)
    HALOCLINE_COMPLETION(Testsome, testsome)
#undef HALOCLINE_COMPLETION
#undef HALOCLINE_ROW
    // NOLINTEND(bugprone-macro-parentheses)
    // clang-format on
};

Lookup* system_lookup = nullptr;

/// Compilers append underscores, and mpi_f08 has names of its own; all mean the same function.
std::string_view without_ending(std::string_view name) {
  constexpr std::string_view f08 = "_f08_";
  if (name.ends_with(f08)) return name.substr(0, name.size() - f08.size());
  while (name.ends_with('_')) name.remove_suffix(1);
  return name;
}

void* our_function(const char* name) {
  for (const Row& row : rows)
    if (row.name == without_ending(name))
      return is_on(row.feature) || row.feature == Feature::neighbor || (row.also != nullptr && row.also())
                 ? row.function
                 : nullptr;
  return nullptr;
}

}  // namespace

void set_system(Lookup* lookup) { system_lookup = lookup; }
void* system_function(const char* name) { return system_lookup(name); }

}  // namespace halocline::preload

extern "C" halocline::preload::Lookup* halocline_takeover(halocline::preload::Lookup* system,
                                                          const char* mesh) {
  halocline::preload::set_system(system);
  halocline::preload::set_mesh(mesh);
  if (halocline::preload::is_logged()) halocline::preload::take_all_for_committed();
  return halocline::preload::our_function;
}
