// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/foreign_read.hpp"

#include "base/numbers.hpp"

#include <array>

#include <sys/uio.h>
#include <unistd.h>

namespace halocline::exchange {
namespace {

using Vectors = std::array<iovec, 1024>;

void write(std::span<const Segment> places, Vectors& vectors) {
  for (std::size_t i = 0; i < places.size(); ++i)
    // NOLINTNEXTLINE(performance-no-int-to-ptr): it was a pointer
    vectors[i] = {reinterpret_cast<void*>(places[i].offset), to_size(places[i].bytes)};
}

}  // namespace

Count this_process() { return getpid(); }

Count foreign_read(Count process, std::span<const Segment> from, std::span<const Segment> to) {
  Vectors theirs, ours;
  write(from, theirs);
  write(to, ours);
  return process_vm_readv(static_cast<pid_t>(process), ours.data(), to.size(), theirs.data(), from.size(), 0);
}

}  // namespace halocline::exchange
