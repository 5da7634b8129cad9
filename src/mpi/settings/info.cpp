// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/settings/info.hpp"

#include "base/numbers.hpp"
#include "mpi/handles/call.hpp"

namespace halocline::mpi {

std::optional<std::string> info_value(MPI_Info info, const char* key) {
  if (info == MPI_INFO_NULL) return std::nullopt;
  int length = 0;
  int found = 0;
  HALOCLINE_MPI(Info_get_valuelen, info, key, &length, &found);
  if (!found) return std::nullopt;
  std::string value(to_size(length) + 1, '\0');  // MPI writes the end of the string, too
  HALOCLINE_MPI(Info_get, info, key, length, value.data(), &found);
  value.resize(to_size(length));
  return value;
}

std::string setting(const std::string& argument, MPI_Info info, const char* key, const char* variable,
                    const char* otherwise, const Environment& environment) {
  if (!argument.empty()) return argument;
  if (const auto value = info_value(info, key)) return *value;
  const std::string text = environment.value(variable);
  return text.empty() ? otherwise : text;
}

}  // namespace halocline::mpi
