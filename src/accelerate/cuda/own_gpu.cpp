// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/cuda/own_gpu.hpp"

#include "accelerate/cuda/cuda_device.hpp"
#include "accelerate/cuda/cuda_driver.hpp"
#include "base/scanner.hpp"
#include "base/settings.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace halocline::accelerate {
namespace {

/// Those of an MPI come first: where its own launcher runs inside a job of another, that one's are of the
/// launcher.
constexpr std::array launchers{"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
                               "PALS_LOCAL_RANKID",          "SLURM_LOCALID",   "FLUX_TASK_LOCAL_ID"};

Count natural_of(const char* variable, const char* value) {
  Scanner scan(variable, value, "2");
  const Count number = scan.integer();
  scan.expect_end();
  require(number >= 0, variable, "=", value, ": a GPU has a number from 0 on");
  return number;
}

}  // namespace

std::optional<Count> number_of_place(const std::string& place) {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  if (std::sscanf(place.c_str(), "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4) return std::nullopt;
  return (Count{domain} << 16u) + (Count{bus} << 8u) + (Count{device} << 3u) + Count{function};
}

std::optional<Count> local_rank(const ReadVariable& variable) {
  for (const char* const name : launchers) {
    const char* const value = variable(name);
    if (value == nullptr) continue;
    try {
      return natural_of(name, value);
    } catch (const Error&) {  // it is not ours to complain about
    }
  }
  return std::nullopt;
}

int dealt_gpu(int devices, std::optional<Count> local_rank) {
  return static_cast<int>(local_rank.value_or(0) % devices);
}

std::optional<Count> own_gpu() {
  if (const char* const told = std::getenv(settings::gpu.variable); told != nullptr && *told != '\0')
    return natural_of(settings::gpu.variable, told);
  const CudaDriver* const driver = CudaDriver::if_in_use();
  const std::optional<int> device = driver == nullptr ? std::nullopt : driver->chosen_device();
  return device ? number_of_place(cuda_place(*device)) : std::nullopt;
}

}  // namespace halocline::accelerate
