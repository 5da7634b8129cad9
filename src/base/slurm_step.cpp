// SPDX-License-Identifier: BSD-3-Clause
#include "base/slurm_step.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace halocline {
namespace {

/// Of a variable that Slurm sets for a step.
std::optional<int> step_number(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const char* const end = text + std::strlen(text);
  int value = -1;
  const auto [read, error] = std::from_chars(text, end, value);
  return error == std::errc() && read == end && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<int> shared_node_of_slurm() {
  const std::optional<int> processes = step_number("SLURM_STEP_NUM_TASKS"),
                           nodes = step_number("SLURM_STEP_NUM_NODES");
  return processes && nodes && *processes > *nodes ? step_number("SLURM_NODEID") : std::nullopt;
}

}  // namespace halocline
