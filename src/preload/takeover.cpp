// The table of what is taken over, and the one function that the preload library knows of this module.

#include "preload/takeover.hpp"

#include "preload/journal.hpp"
#include "preload/settings.hpp"
#include "preload/system.hpp"

#include <array>
#include <string_view>

namespace halocline::preload {
namespace {

struct Row {
  std::string_view name;
  Feature feature;
  void* function;
};

template <class F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

/// One row for each call; where the feature is off there is none.
const Row rows[] = {
    {"MPI_Cart_create", Feature::reorder, address(cart_create)},
    {"MPI_Dims_create", Feature::reorder, address(dims_create)},
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
};

Lookup* system_lookup = nullptr;

void* our_function(const char* name) {
  for (const Row& row : rows)
    if (row.name == name && is_on(row.feature)) return row.function;
  return nullptr;
}

}  // namespace

void set_system(Lookup* lookup) { system_lookup = lookup; }
void* system_function(const char* name) { return system_lookup(name); }

}  // namespace halocline::preload

extern "C" halocline::preload::Lookup* halocline_takeover(halocline::preload::Lookup* system) {
  halocline::preload::set_system(system);
  return halocline::preload::our_function;
}
