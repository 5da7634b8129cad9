// SPDX-License-Identifier: BSD-3-Clause
// A one-way stream of chunks through memory that processes share: the only place where they touch the same
// bytes without MPI between them.
//
// The memory model in short. A chunk's slot belongs to the writers from the moment every reader's counter
// says that the slot's previous chunk was taken, until the last writer's counter says that it is written;
// then it belongs to the readers. A counter has one owner, who stores it with release after its last access
// to the slot; the others load it with acquire before their first. So all accesses to a slot's bytes are
// ordered, on any architecture. Counters only grow, and have 64 bits: they do not wrap.
#pragma once

#include "base/index.hpp"
#include "base/integers.hpp"
#include "base/numbers.hpp"
#include "exchange/memory/memory_news.hpp"
#include "halocline/base/count.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace halocline::exchange {

/// One process writes it, others read it; nobody else's counter shares its cache line.
struct alignas(64) Counter {
  std::atomic<std::uint64_t> value;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free,
              "atomics without locks work between processes");

struct ChannelShape {
  Count message_bytes = 0;  ///< Of what goes through it at each start.
  Count chunk_bytes = 0;    ///< The most that one chunk holds.
  Count slots = 2;          ///< Chunks that may be written and not yet taken.
  int writers = 1;
  int readers = 1;

  /// Of a message. @pre messages are not empty
  [[nodiscard]] Count chunks() const { return divide_up(message_bytes, chunk_bytes); }
  /// The memory it takes, a multiple of the alignment of a Counter.
  [[nodiscard]] Count bytes() const;
  bool operator==(const ChannelShape&) const = default;
};

/// A view of a channel in shared memory. Every process that takes part has one, at its own address.
class Channel {
 public:
  using Chunk = std::uint64_t;  ///< Number of a chunk, from 0 over the life of the channel.

  Channel() = default;
  /// @pre `memory` is aligned as a Counter and has shape.bytes()
  Channel(std::byte* memory, const ChannelShape& shape);

  /// Sets all counters to 0: once, by one process, before the others know the channel.
  void initialize() const;

  [[nodiscard]] std::byte* slot(Chunk chunk) const {
    return data_ + to_count(chunk % static_cast<Chunk>(shape_.slots)) * slot_bytes_;
  }
  [[nodiscard]] const ChannelShape& shape() const { return shape_; }

  /// Has every reader taken what was in the slot of `chunk` before?
  [[nodiscard]] bool writable(Chunk chunk) {
    const auto slots = static_cast<Chunk>(shape_.slots);
    return chunk < slots || reached(taken(), chunk + 1 - slots, taken_seen_);
  }
  /// Has every writer written `chunk`?
  [[nodiscard]] bool readable(Chunk chunk) { return reached(written(), chunk + 1, written_seen_); }

  /// The writer of that number has written its part of `chunk`. @pre writable(chunk), chunk by chunk
  void publish(int writer, Chunk chunk) const { set(written()[to_index(writer)], chunk + 1); }
  /// The reader of that number needs `chunk` no more. @pre readable(chunk), chunk by chunk
  void release(int reader, Chunk chunk) const { set(taken()[to_index(reader)], chunk + 1); }

  /// The same as readable and writable, but of one writer or reader alone.
  [[nodiscard]] bool published(int writer, Chunk chunk) const {
    return has(written()[to_index(writer)], chunk + 1);
  }
  [[nodiscard]] bool released(int reader, Chunk chunk) const {
    return has(taken()[to_index(reader)], chunk + 1);
  }

  /// Were as many messages written and taken by all?
  [[nodiscard]] bool idle_after(Chunk messages) {
    const Chunk chunks = messages * static_cast<Chunk>(shape_.chunks());
    return reached(written(), chunks, written_seen_) && reached(taken(), chunks, taken_seen_);
  }

 private:
  [[nodiscard]] std::span<Counter> written() const { return {counters_, to_size(shape_.writers)}; }
  [[nodiscard]] std::span<Counter> taken() const {
    return {counters_ + shape_.writers, to_size(shape_.readers)};
  }
  /// Are all counters at `least` or past it? What was seen once is not looked at again.
  static bool reached(std::span<Counter> counters, Chunk least, Chunk& seen);
  [[nodiscard]] static bool has(const Counter& counter, Chunk least) {
    return counter.value.load(std::memory_order_acquire) >= least;
  }
  static void set(Counter& counter, Chunk value) {
    counter.value.store(value, std::memory_order_release);
    moved(counter);
  }

  ChannelShape shape_;
  Counter* counters_ = nullptr;
  std::byte* data_ = nullptr;
  Count slot_bytes_ = 0;
  Chunk written_seen_ = 0, taken_seen_ = 0;  ///< Reached by all, as far as this process has looked.
};

}  // namespace halocline::exchange
