// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/host_device.hpp"

#include "accelerate/addresses.hpp"
#include "accelerate/host_kernels.hpp"
#include "base/fail.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace halocline::accelerate {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t pinned_alignment = 64;

std::atomic<bool>& host_in_use() {
  static std::atomic<bool> used{false};
  return used;
}

/// What a handle says: whose file it is.
struct Ticket {
  long process;
  int file;
  std::size_t bytes;
  dev_t device;
  ino_t inode;
};
static_assert(sizeof(Ticket) <= sizeof(MemoryHandle));

}  // namespace

HostDevice& HostDevice::get() {
  // Lives as long as the process: memory of it may be freed by objects of other files.
  static auto* const device = new HostDevice;  // NOLINT(cppcoreguidelines-owning-memory)
  return *device;
}

bool HostDevice::in_use() { return host_in_use(); }

std::optional<Allocation> HostDevice::find(const void* address) {
  if (!host_in_use()) return std::nullopt;
  HostDevice& device = get();
  auto after = device.blocks_.upper_bound(number_of(address));
  if (after == device.blocks_.begin()) return std::nullopt;
  const auto& [base, block] = *--after;
  if (number_of(address) - base >= block.bytes) return std::nullopt;
  return Allocation{&device, address_of(base), static_cast<Count>(block.bytes)};
}

HostDevice::HostDevice() {
  void* const reserved =
      mmap(nullptr, 2 * window_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED)
    fail(Fault::out_of_memory, "no ", 2 * window_bytes, " bytes of address space for the memory of a device");
  first_ = number_of(reserved);
  queues_[nullptr] = std::make_unique<Queue>();
  host_in_use() = true;
}

std::byte* HostDevice::map(int file, std::size_t bytes, bool is_own) {
  std::uintptr_t at = first_;
  for (const auto& [base, block] : blocks_) {
    if (base - at >= bytes + page) break;  // a page between two blocks belongs to nobody
    at = base + (block.bytes + page - 1) / page * page + page;
  }
  if (at + bytes > first_ + window_bytes) return nullptr;
  void* const memory =
      mmap(address_of(at + window_bytes), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  if (memory == MAP_FAILED) return nullptr;
  blocks_[at] = {bytes, is_own ? file : -1};
  return address_of(at);
}

void HostDevice::unmap(std::byte* memory) noexcept {
  const auto block = blocks_.find(number_of(memory));
  if (block == blocks_.end()) return;
  (void)mmap(address_of(block->first + window_bytes), block->second.bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (block->second.file >= 0) ::close(block->second.file);
  blocks_.erase(block);
}

std::byte* HostDevice::allocate(Count bytes) {
  const int file = memfd_create("halocline-device", MFD_CLOEXEC);
  std::byte* memory = nullptr;
  if (file >= 0 && bytes <= longest_ && ftruncate(file, bytes) == 0)
    memory = map(file, static_cast<std::size_t>(bytes), true);
  if (memory != nullptr) return memory;
  if (file >= 0) ::close(file);
  fail(Fault::out_of_memory, "no ", bytes, " bytes of memory on ", name());
}

void HostDevice::free(std::byte* memory) noexcept { unmap(memory); }

std::byte* HostDevice::allocate_pinned(Count bytes) {
  void* memory = nullptr;
  if (bytes <= longest_)
    memory =
        ::operator new (static_cast<std::size_t>(bytes), std::align_val_t{pinned_alignment}, std::nothrow);
  if (memory == nullptr)
    fail(Fault::out_of_memory, "no ", bytes, " bytes of memory that ", name(), " reaches");
  return static_cast<std::byte*>(memory);
}

void HostDevice::free_pinned(std::byte* memory) noexcept {
  ::operator delete (memory, std::align_val_t{pinned_alignment});
}

Stream HostDevice::create_stream() {
  auto queue = std::make_unique<Queue>();
  const Stream stream = queue.get();
  queues_[stream] = std::move(queue);
  return stream;
}

void HostDevice::destroy_stream(Stream stream) noexcept {
  if (const auto found = queues_.find(stream); found != queues_.end()) {
    run_until(*found->second, found->second->pushed);
    queues_.erase(found);
  }
}

void HostDevice::require_own(Stream stream) {
  require(queues_.contains(stream), "the stream ", stream, " is not one of ", name());
}

HostDevice::Queue& HostDevice::queue(Stream stream) {
  require_own(stream);
  return *queues_.at(stream);
}

bool HostDevice::Queue::step() {
  if (work.empty() || !work.front()()) return false;
  work.pop_front();
  ++done;
  return true;
}

void HostDevice::step_all() {
  for (const auto& [stream, its_queue] : queues_) its_queue->step();
}

void HostDevice::run_until(Queue& its_queue, std::uint64_t count) {
  while (its_queue.done < count)
    if (!its_queue.step()) {
      step_all();
      sched_yield();
    }
}

void HostDevice::copy(std::byte* to, const std::byte* from, Count bytes, Stream stream) {
  queue(stream).push([this, to, from, bytes] {
    std::memcpy(address_of(reached(number_of(to))), address_of(reached(number_of(from))),
                static_cast<std::size_t>(bytes));
    return true;
  });
}

void HostDevice::launch(const Tile* tiles, Count count, Stream stream) {
  queue(stream).push([this, tiles, count] {
    const auto* const table = reinterpret_cast<const Tile*>(address_of(reached(number_of(tiles))));
    for (Count i = 0; i < count; ++i) run_tile(table[i]);
    return true;
  });
}

void HostDevice::order(Stream first, Stream then) {
  if (first == then) return;
  const std::uint64_t count = queue(first).pushed;
  queue(then).push([this, first, count] {
    const auto found = queues_.find(first);  // what was destroyed is done
    return found == queues_.end() || found->second->done >= count;
  });
}

void HostDevice::signal(std::span<const Signal> written, std::span<const Signal> awaited, Stream stream) {
  const auto word = [this](const Signal& signal) {
    return std::atomic_ref<std::uint32_t>(
        *reinterpret_cast<std::uint32_t*>(address_of(reached(number_of(signal.word)))));
  };
  for (const Signal& one : written)
    queue(stream).push([word, one] {
      word(one).store(one.value, std::memory_order_release);
      return true;
    });
  for (const Signal& one : awaited)
    queue(stream).push([word, one] {
      return static_cast<std::int32_t>(word(one).load(std::memory_order_acquire) - one.value) >= 0;
    });
}

bool HostDevice::finished(Stream stream) {
  Queue& its_queue = queue(stream);
  if (!its_queue.step()) step_all();
  return its_queue.done == its_queue.pushed;
}

void HostDevice::synchronize(Stream stream) {
  Queue& its_queue = queue(stream);
  run_until(its_queue, its_queue.pushed);
}

void HostDevice::synchronize_all() {
  for (const auto& [stream, its_queue] : queues_) run_until(*its_queue, its_queue->pushed);
}

std::optional<MemoryHandle> HostDevice::exported(const Allocation& memory) {
  const auto block = blocks_.find(number_of(memory.base));
  struct stat own {};
  if (block == blocks_.end() || block->second.file < 0 || fstat(block->second.file, &own) != 0)
    return std::nullopt;
  const Ticket ticket{getpid(), block->second.file, block->second.bytes, own.st_dev, own.st_ino};
  MemoryHandle handle;
  std::memcpy(handle.bytes.data(), &ticket, sizeof ticket);
  return handle;
}

std::byte* HostDevice::open(const MemoryHandle& handle) {
  Ticket ticket{};
  std::memcpy(&ticket, handle.bytes.data(), sizeof ticket);
  if (ticket.process == getpid()) return nullptr;  // as drivers do
  const std::string path = concat("/proc/", ticket.process, "/fd/", ticket.file);
  struct stat found {};
  if (stat(path.c_str(), &found) != 0 || found.st_dev != ticket.device || found.st_ino != ticket.inode)
    return nullptr;
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  std::byte* const memory = map(file, ticket.bytes, false);
  ::close(file);
  return memory;
}

void HostDevice::close(std::byte* memory) noexcept { unmap(memory); }

}  // namespace halocline::accelerate
