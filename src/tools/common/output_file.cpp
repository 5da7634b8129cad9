// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/output_file.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/common/mpi_session.hpp"

#include <fstream>

namespace halocline::tools {

void write_file(const char* option, const std::string& path,
                const std::function<void(std::ostream&)>& write) {
  if (launched_by_mpi() && mpi::rank(MPI_COMM_WORLD) != 0) return;
  std::ofstream file(path, std::ios::binary);
  if (file) write(file);
  if (!file.flush()) throw Error(Fault::internal, concat("cannot write ", option, " ", path));
}

}  // namespace halocline::tools
