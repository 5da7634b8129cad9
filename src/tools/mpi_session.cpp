#include "tools/mpi_session.hpp"

#include "mpi/call.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace halocline::tools {

bool launched_by_mpi() {
  static constexpr std::array variables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(variables.begin(), variables.end(),
                     [](const char* v) { return std::getenv(v) != nullptr; });
}

MpiSession::MpiSession() {
  HALOCLINE_MPI(Init, nullptr, nullptr);
  HALOCLINE_MPI(Comm_set_errhandler, MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

MpiSession::~MpiSession() { PMPI_Finalize(); }

}  // namespace halocline::tools
