// SPDX-License-Identifier: BSD-3-Clause
// A device that the host's processor plays, for tests on any machine: the same kernel, and memory that only
// the kernel and copies reach. Whoever else touches an address of it ends with a fault, as with a real one.
#pragma once

#include "accelerate/device/device.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

namespace halocline::accelerate {

/// Streams are queues that are worked off when somebody asks for them, so that whoever forgets to wait sees
/// old values. What they get begins behind what the default stream had by then.
class HostDevice : public Device {
 public:
  /// The only one of the process; reserves address space the first time.
  [[nodiscard]] static HostDevice& get();
  /// Was it ever asked for?
  [[nodiscard]] static bool in_use();
  /// What it allocated at an address; looks at nothing if it is not in use.
  [[nodiscard]] static std::optional<DeviceMemory> find(const void* address);

  [[nodiscard]] std::string name() const override { return "the host's processor as a device"; }
  [[nodiscard]] std::optional<Count> place() const override { return place_; }
  [[nodiscard]] std::byte* allocate(Count bytes) override;
  void free(std::byte* memory) noexcept override;
  [[nodiscard]] std::byte* allocate_from_pool(Count bytes) override;
  void free_to_pool(std::byte* memory) noexcept override { free(memory); }
  [[nodiscard]] std::optional<std::uint64_t> allocation_number(const std::byte* address) override;
  [[nodiscard]] std::byte* allocate_pinned(Count bytes) override;
  void free_pinned(std::byte* memory) noexcept override;
  [[nodiscard]] Stream create_stream() override;
  [[nodiscard]] Stream aside() override;
  void destroy_stream(Stream stream) noexcept override;
  void require_own(Stream stream) override;
  void copy(std::byte* to, const std::byte* from, Count bytes, Stream stream) override;
  void launch(const Launch& launch, Stream stream) override;
  void order(Stream first, Stream then) override;
  [[nodiscard]] bool has_signals() const override { return true; }
  void signal(std::span<const Signal> written, std::span<const Signal> awaited, Stream stream) override;
  [[nodiscard]] bool finished(Stream stream) override;
  void synchronize(Stream stream) override;
  void synchronize_all() override;
  [[nodiscard]] std::optional<MemoryHandle> exported(const DeviceMemory& memory) override;

  /// For tests of what happens without memory: from now on no allocation is longer.
  void limit_allocations(Count bytes) { longest_ = bytes; }
  /// For tests of systems, and of ways to allocate, that have no handles: of everything, or of some memory.
  void refuse_handles(bool refused) { has_handles_ = !refused; }
  void keep_private(std::byte* memory);
  /// For tests of devices whose streams do not reach words, of their own or of others.
  void refuse_words(bool refused) { has_words_ = !refused; }
  /// For tests of nodes with several devices: others take it for the one that is there; none if they cannot
  /// tell.
  void pretend_place(std::optional<Count> place) { place_ = place; }
  /// For tests of an MPI that takes addresses of devices: whoever uses the memory that is allocated from now
  /// on finds it there.
  void open_to_host(bool open) { open_to_host_ = open; }

  /// Where the processor finds what lies at an address of the device, or of the host.
  [[nodiscard]] std::uintptr_t reached(std::uintptr_t address) const {
    return address - first_ < window_bytes ? address + window_bytes : address;
  }

 protected:
  [[nodiscard]] std::byte* open(const MemoryHandle& handle) override;
  void close(std::byte* memory) noexcept override;

 private:
  static constexpr std::uintptr_t window_bytes = std::uintptr_t{1} << 36u;

  /// Memory behind some addresses.
  struct Allocation {
    std::size_t bytes;
    int file;  ///< -1 if it is another process's.
    std::uint64_t number;
    bool is_private = false;
    bool on_host = false;  ///< At its own addresses, as well.
  };
  /// True once it is done; false if it has to wait for something.
  using Work = std::function<bool()>;
  struct Queue {
    std::deque<Work> work;
    std::uint64_t pushed = 0, done = 0;
    void push(Work one) {
      work.push_back(std::move(one));
      ++pushed;
    }
    /// The next, if there is one and it need not wait.
    bool step();
  };

  HostDevice();
  [[nodiscard]] Queue& queue(Stream stream);
  /// Behind all that the default stream has now, unless it is the stream aside.
  void push(Stream stream, Work work);
  /// Where one stream waits the others go on.
  void run_until(Queue& its_queue, std::uint64_t count);
  void step_all();
  /// By which streams, also of other processes, wait for each other.
  [[nodiscard]] std::atomic_ref<std::uint64_t> word(std::uint64_t address) const;
  /// Maps a file behind free addresses; null if that cannot be.
  [[nodiscard]] std::byte* map(int file, std::size_t bytes, bool is_own);
  void unmap(std::byte* memory) noexcept;
  using Allocations = std::map<std::uintptr_t, Allocation>;  ///< By address.
  /// The one that an address lies in, or the end.
  [[nodiscard]] Allocations::const_iterator allocation_at(const void* address) const;

  using Alone = std::lock_guard<std::recursive_mutex>;

  std::recursive_mutex one_at_a_time_;  ///< Threads of the program, and one that moves exchanges.
  Count longest_ = std::numeric_limits<Count>::max();
  bool has_handles_ = true, has_words_ = true, open_to_host_ = false;
  std::optional<Count> place_ = 0;
  std::uintptr_t first_;  ///< Of as many addresses that nobody may touch, with the memory itself behind them.
  Allocations allocations_;
  std::uint64_t allocated_ever_ = 0;
  std::map<Stream, std::unique_ptr<Queue>> queues_;
  Stream aside_ = nullptr;
};

}  // namespace halocline::accelerate
