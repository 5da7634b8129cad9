#include "preload/neighbor_call.hpp"

#include "compile/address.hpp"
#include "mpi/call.hpp"
#include "preload/comm_attribute.hpp"
#include "preload/settings.hpp"

namespace halocline::preload {
namespace {

/// Blocking calls on a communicator that are left to the system before links are made.
constexpr int calls_before_links = 2;

struct Calls {
  int so_far = 0;
};

bool has_topology(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return false;
  int topology = MPI_UNDEFINED;
  return PMPI_Topo_test(comm, &topology) == MPI_SUCCESS && topology != MPI_UNDEFINED;
}

/// Was this communicator used often enough? The same on all processes, which make the same calls.
bool is_used(MPI_Comm comm) {
  std::shared_ptr<Calls>* calls = CommAttribute<Calls>::find(comm);
  if (calls == nullptr) {
    CommAttribute<Calls>::keep(comm, std::make_shared<Calls>());
    calls = CommAttribute<Calls>::find(comm);
  }
  return (*calls)->so_far++ >= calls_before_links;
}

}  // namespace

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lb = 0, extent = 0;
  HALOCLINE_MPI(Type_get_extent, type, &lb, &extent);
  return extent;
}

const void* at(const void* buffer, Count offset) {
  return compile::at(static_cast<const std::byte*>(buffer), offset);
}

std::shared_ptr<Links>* links_of(MPI_Comm comm, Form form, Tally& tally) {
  const auto left = [&](const char* why) {
    tally.leave(why);
    return nullptr;
  };
  if (comm == MPI_COMM_NULL) return left("no communicator");
  std::shared_ptr<Links>* found = Links::find(comm);
  if (found == nullptr) {
    if (!has_topology(comm)) return left("no topology");
    if (form == Form::non_blocking)
      return left("a non-blocking call comes first; HALOCLINE_NEIGHBOR=eager helps");
    if (form == Form::blocking && !is_used(comm)) return left("the first calls on a communicator");
    Links::make(comm);
    found = Links::find(comm);
  }
  if (form == Form::blocking && (*found)->usable()) (*found)->expect_blocking(comm);
  if (!(*found)->usable()) return left((*found)->why_not());
  if (form != Form::blocking && !(*found)->may_be_pending())
    return left("errors are not fatal, or MPI does not call us while it waits");
  return found;
}

void prepare_links(MPI_Comm comm) noexcept {
  if (comm == MPI_COMM_NULL || !is_on(Feature::neighbor)) return;
  try {
    Links::make(comm);
  } catch (const std::exception& error) {
    note(concat("a communicator is left to MPI: ", error.what()));
  }
}

int report(MPI_Comm comm, int code) {
  if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, code);
  return code;
}

int code_of(const Error& error) { return error.mpi_code() != 0 ? error.mpi_code() : MPI_ERR_INTERN; }

}  // namespace halocline::preload
