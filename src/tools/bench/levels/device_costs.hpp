// SPDX-License-Identifier: BSD-3-Clause
// What it costs to get bytes off a device, when all processes do it at once.
#pragma once

#include "accelerate/device/device.hpp"
#include "tools/bench/levels/bursts.hpp"

#include <mpi.h>

#include <vector>

namespace halocline::tools {

/// The prices of plan::device_levels: of kernels that write into the memory of the next process of the node
/// on the same device, and of the next one on another, as far as all processes have such and reach it, and of
/// kernels that write to the host and back. Each is measured
/// `repetitions` times; medians count, of the slowest process each time. The same on all processes.
/// Collective.
[[nodiscard]] std::vector<MeasuredPrice> measure_device(MPI_Comm comm, accelerate::Device& device,
                                                        int repetitions);

}  // namespace halocline::tools
