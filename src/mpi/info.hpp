// Reading MPI_Info.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

namespace halocline::mpi {

/// The value of `key`; none if it is not there or `info` is MPI_INFO_NULL. Local.
[[nodiscard]] std::optional<std::string> info_value(MPI_Info info, const char* key);

}  // namespace halocline::mpi
