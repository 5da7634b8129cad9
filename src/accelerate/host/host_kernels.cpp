// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/host/host_kernels.hpp"

#include "accelerate/host/host_device.hpp"
#include "accelerate/kernel/kernels.cu"

namespace halocline::accelerate {

unsigned long long reached(unsigned long long address) { return HostDevice::get().reached(address); }

void run_tile(const Tile* table, unsigned number) {
  for (unsigned thread = 0; thread < tile_threads; ++thread) copy_tile(table, number, thread);
}

}  // namespace halocline::accelerate
