// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/host_kernels.hpp"

#include "accelerate/host_device.hpp"
#include "accelerate/kernels.cu"

namespace halocline::accelerate {

unsigned long long reached(unsigned long long address) { return HostDevice::get().reached(address); }

void run_tile(const Tile* table, unsigned number) {
  for (unsigned thread = 0; thread < tile_threads; ++thread) copy_tile(table, number, thread);
}

}  // namespace halocline::accelerate
