// SPDX-License-Identifier: BSD-3-Clause
// Settings: an argument prevails over an MPI_Info key, that over an environment variable.
#pragma once

#include "mpi/settings/environment.hpp"

#include <mpi.h>

#include <optional>
#include <string>

namespace halocline::mpi {

/// The value of `key`; none if it is not there or `info` is MPI_INFO_NULL. Local.
[[nodiscard]] std::optional<std::string> info_value(MPI_Info info, const char* key);

/// A setting: `argument` unless it is empty, else the value of `key`, else that of the environment variable
/// unless it is empty, else `otherwise`. Local.
[[nodiscard]] std::string setting(const std::string& argument, MPI_Info info, const char* key,
                                  const char* variable, const char* otherwise,
                                  const Environment& environment = {});

}  // namespace halocline::mpi
