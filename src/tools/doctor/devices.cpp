// SPDX-License-Identifier: BSD-3-Clause
// Examinations of GPUs: whether there are any, who shares them, and whether MPI takes their memory.

#include "accelerate/cuda/cuda_device.hpp"
#include "accelerate/cuda/cuda_driver.hpp"
#include "base/numbers.hpp"
#include "halocline/base/error.hpp"
#include "mpi/discovery/device_memory_in_mpi.hpp"
#include "mpi/discovery/slurm_nodes.hpp"
#include "mpi/handles/comm.hpp"
#include "tools/common/device_of_job.hpp"
#include "tools/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace halocline::tools {
namespace {

/// What this process can do with the first GPU that it sees: its name, or why it cannot be used.
struct FirstGpu {
  bool usable;
  std::string told;
};

FirstGpu first_gpu() {
  try {
    (void)accelerate::CudaDriver::get();
    if (accelerate::cuda_devices() == 0) return {false, "the driver knows no GPU"};
    return {true, accelerate::cuda_device(0).name()};
  } catch (const Error& error) {
    return {false, error.what()};
  }
}

/// How many GPUs the processes of a node see together, however each numbers them.
int gpus_of_node(MPI_Comm node) {
  constexpr std::size_t most = 64;
  using BusPlace = std::array<char, 32>;
  std::vector<BusPlace> mine(most);
  const auto seen = to_size(accelerate::cuda_devices());
  for (std::size_t i = 0; i < std::min(seen, most); ++i)
    accelerate::cuda_place(to_int(i)).copy(mine[i].data(), mine[i].size() - 1);
  std::vector<BusPlace> all(most * to_size(mpi::size(node)));
  const int bytes = to_int(most * sizeof(BusPlace));
  HALOCLINE_MPI(Allgather, mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, node);
  std::set<BusPlace> places(all.begin(), all.end());
  places.erase(BusPlace{});
  return to_int(places.size());
}

}  // namespace

Finding examine_gpu(MPI_Comm comm) {
  const FirstGpu first = first_gpu();
  const Extremes seen = extremes(comm, first.usable ? accelerate::cuda_devices() : 0);
  if (seen.most == 0) return {Verdict::absent, first.told, "exchanges fields in memory of the host"};
  const std::string found = fmt::format("a process sees {}; process 0: {}", from_to(seen), first.told);
  if (seen.least > 0) return {Verdict::ok, found};
  return {Verdict::absent, found,
          "exchanges fields that lie on GPUs of some processes and on the host of others through the host"};
}

Finding examine_gpu_sharing(MPI_Comm comm) {
  const mpi::Comm node = mpi::split_node(comm);
  const int gpus = gpus_of_node(node.get()), processes = mpi::size(node.get());
  const Extremes of_nodes = extremes(comm, gpus);
  if (of_nodes.most == 0) return {Verdict::absent, "there is no GPU to share"};
  const bool runs = mps_runs();
  const bool shared = gpus > 0 && processes > gpus;
  const std::string found = fmt::format("{} processes a node, {} GPUs for them",
                                        from_to(extremes(comm, processes)), from_to(of_nodes));
  if (!anywhere(comm, shared)) return {Verdict::ok, found};
  if (!anywhere(comm, shared && !runs)) return {Verdict::ok, found + "; MPS runs"};
  return {
      Verdict::slow, found + "; MPS does not run, so that processes take turns on a GPU",
      "launches wait for these turns; start nvidia-cuda-mps-control -d on each node, or give each process "
      "a GPU"};
}

Finding examine_gpu_in_mpi(MPI_Comm comm) {
  const mpi::DeviceMemoryInMpi here = mpi::device_memory_in_mpi();
  if (!anywhere(comm, !here.taken))
    return {Verdict::ok, fmt::format("MPI takes memory of GPUs, says {}", here.said_by)};
  return {Verdict::absent, fmt::format("MPI does not take memory of GPUs, says {}", here.said_by),
          "sends what lies on a GPU from pinned memory of the host"};
}

}  // namespace halocline::tools
