// SPDX-License-Identifier: BSD-3-Clause
#include "tools/common/device_of_job.hpp"

#include "accelerate/cuda/cuda_device.hpp"
#include "accelerate/host/host_device.hpp"
#include "base/fail.hpp"
#include "halocline/base/error.hpp"
#include "mpi/discovery/slurm_nodes.hpp"
#include "mpi/handles/agree.hpp"
#include "mpi/handles/comm.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>

namespace halocline::tools {

void MemoryWords::declare(Options& options, const std::string& of_what) {
  options
      .add_option(
          "--memory", memory_,
          "where " + of_what +
              " lie: host, device (on GPUs; where there is none, the host plays one), or pool (the same, in "
              "memory of a pool, which processes do not open for each other)")
      .capture_default_str();
}

bool MemoryWords::on_device() const {
  require(memory_ == "host" || memory_ == "device" || memory_ == "pool", "--memory ", memory_,
          ": it is host, device or pool");
  return memory_ != "host";
}

accelerate::OwnMemory::Kind MemoryWords::kind() const {
  using Kind = accelerate::OwnMemory::Kind;
  return memory_ == "pool" ? Kind::of_pool : Kind::of_device;
}

accelerate::Device& device_of_job(MPI_Comm comm) {
  const mpi::Comm node = mpi::split_node(comm);
  const int here = accelerate::cuda_devices();
  int least = 0;
  HALOCLINE_MPI(Allreduce, &here, &least, 1, MPI_INT, MPI_MIN, comm);
  if (least == 0) return accelerate::HostDevice::get();
  return *mpi::agreed(comm, [&] { return &accelerate::cuda_device(mpi::rank(node.get()) % here); });
}

/// It writes its number where programs look for it, and removes that file when it ends. What else is in the
/// folder stays there.
bool mps_runs() {
  const char* const named = std::getenv("CUDA_MPS_PIPE_DIRECTORY");
  const std::string folder = named != nullptr && *named != '\0' ? named : "/tmp/nvidia-mps";
  std::ifstream file(folder + "/nvidia-cuda-mps-control.pid");
  pid_t process = 0;
  if (!(file >> process) || process <= 0) return false;
  return kill(process, 0) == 0 || errno == EPERM;  // of another user
}

std::string told_of(const accelerate::Device& device) {
  const bool played = dynamic_cast<const accelerate::HostDevice*>(&device) != nullptr;
  return device.name() + (played ? "" : mps_runs() ? " with MPS" : " without MPS");
}

}  // namespace halocline::tools
