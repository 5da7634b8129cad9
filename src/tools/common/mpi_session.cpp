// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/mpi_session.hpp"

#include "base/settings.hpp"
#include "mpi/handles/call.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace halocline::tools {

bool launched_by_mpi() {
  static constexpr std::array variables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(variables.begin(), variables.end(),
                     [](const char* v) { return std::getenv(v) != nullptr; });
}

bool first_of_job() {
  static constexpr std::array variables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  return std::all_of(variables.begin(), variables.end(), [](const char* v) {
    const char* const rank = std::getenv(v);
    return rank == nullptr || std::strcmp(rank, "0") == 0;
  });
}

std::string mpi_vendor() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  HALOCLINE_MPI(Get_library_version, text.data(), &length);
  // MPICH's is many lines long, with tabs; Open MPI's goes on about who built it.
  std::string vendor(text.data(), std::strcspn(text.data(), "\n"));
  std::replace(vendor.begin(), vendor.end(), '\t', ' ');
  vendor.resize(std::min(vendor.size(), vendor.find(", package")));
  return vendor;
}

MpiSession::MpiSession() {
  // What a thread of the library needs; nothing else of the tool has several.
  const char* const progress = std::getenv(settings::progress.variable);
  const bool threads = progress != nullptr && std::strcmp(progress, "thread") == 0;
  int provided = MPI_THREAD_SINGLE;
  HALOCLINE_MPI(Init_thread, nullptr, nullptr, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  HALOCLINE_MPI(Comm_set_errhandler, MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

MpiSession::~MpiSession() { PMPI_Finalize(); }

}  // namespace halocline::tools
