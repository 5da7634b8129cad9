// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/channel.hpp"

#include "base/integers.hpp"

#include <algorithm>
#include <new>

namespace halocline::exchange {
namespace {

constexpr Count counter_bytes = alignof(Counter);

Count slot_size(const ChannelShape& shape) {
  return checked_add(shape.chunk_bytes, counter_bytes - 1) / counter_bytes * counter_bytes;
}

}  // namespace

Count ChannelShape::bytes() const {
  const Count counters = (Count{writers} + readers) * counter_bytes;
  return checked_add(counters, checked_multiply(slots, slot_size(*this)));
}

Channel::Channel(std::byte* memory, const ChannelShape& shape)
    : shape_(shape), slot_bytes_(slot_size(shape)) {
  counters_ = reinterpret_cast<Counter*>(memory);
  data_ = memory + (Count{shape.writers} + shape.readers) * counter_bytes;
}

void Channel::initialize() const {
  for (int i = 0; i < shape_.writers + shape_.readers; ++i) new (counters_ + i) Counter{};
}

bool Channel::reached(std::span<Counter> counters, Chunk least, Chunk& seen) {
  if (seen >= least) return true;
  Chunk lowest = ~Chunk{0};
  for (const Counter& counter : counters) {
    lowest = std::min(lowest, counter.value.load(std::memory_order_acquire));
    if (lowest < least) {
      looked_in_vain(counter);
      return false;
    }
  }
  seen = lowest;
  return true;
}

}  // namespace halocline::exchange
