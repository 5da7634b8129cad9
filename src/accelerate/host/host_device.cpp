// SPDX-License-Identifier: BSD-3-Clause
#include "accelerate/host/host_device.hpp"

#include "accelerate/host/host_kernels.hpp"
#include "accelerate/kernel/addresses.hpp"
#include "base/fail.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

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

std::optional<DeviceMemory> HostDevice::find(const void* address) {
  if (!host_in_use()) return std::nullopt;
  HostDevice& device = get();
  const Alone alone(device.one_at_a_time_);
  const auto block = device.allocation_at(address);
  if (block == device.allocations_.end()) return std::nullopt;
  return DeviceMemory{&device, address_of(block->first), static_cast<Count>(block->second.bytes)};
}

HostDevice::Allocations::const_iterator HostDevice::allocation_at(const void* address) const {
  const auto after = allocations_.upper_bound(number_of(address));
  if (after == allocations_.begin()) return allocations_.end();
  const auto block = std::prev(after);
  return number_of(address) - block->first < block->second.bytes ? block : allocations_.end();
}

std::optional<std::uint64_t> HostDevice::allocation_number(const std::byte* address) {
  const Alone alone(one_at_a_time_);
  const auto block = allocation_at(address);
  return block == allocations_.end() ? std::nullopt : std::optional(block->second.number);
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
  const Alone alone(one_at_a_time_);
  std::uintptr_t at = first_;
  for (const auto& [base, block] : allocations_) {
    if (base - at >= bytes + page) break;  // a page between two blocks belongs to nobody
    at = base + (block.bytes + page - 1) / page * page + page;
  }
  if (at + bytes > first_ + window_bytes) return nullptr;
  void* const memory =
      mmap(address_of(at + window_bytes), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  if (memory == MAP_FAILED) return nullptr;
  const bool on_host =
      is_own && open_to_host_ &&
      mmap(address_of(at), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  allocations_[at] = {bytes, is_own ? file : -1, ++allocated_ever_, false, on_host};
  return address_of(at);
}

void HostDevice::unmap(std::byte* memory) noexcept {
  const Alone alone(one_at_a_time_);
  const auto block = allocations_.find(number_of(memory));
  if (block == allocations_.end()) return;
  const auto refuse = [&](std::uintptr_t at) {
    (void)mmap(address_of(at), block->second.bytes, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  };
  refuse(block->first + window_bytes);
  if (block->second.on_host) refuse(block->first);
  if (block->second.file >= 0) ::close(block->second.file);
  allocations_.erase(block);
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

std::byte* HostDevice::allocate_from_pool(Count bytes) {
  std::byte* const memory = allocate(bytes);
  keep_private(memory);
  return memory;
}

void HostDevice::keep_private(std::byte* memory) {
  const Alone alone(one_at_a_time_);
  allocations_.at(number_of(memory)).is_private = true;
}

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
  const Alone alone(one_at_a_time_);
  auto queue = std::make_unique<Queue>();
  const Stream stream = queue.get();
  queues_[stream] = std::move(queue);
  return stream;
}

Stream HostDevice::aside() {
  const Alone alone(one_at_a_time_);
  if (aside_ == nullptr) aside_ = create_stream();
  return aside_;
}

void HostDevice::destroy_stream(Stream stream) noexcept {
  Queue* its_queue = nullptr;
  {
    const Alone alone(one_at_a_time_);
    if (const auto found = queues_.find(stream); found != queues_.end()) its_queue = found->second.get();
  }
  if (its_queue == nullptr) return;
  run_until(*its_queue, its_queue->pushed);  // by who destroys it nothing more is pushed
  const Alone alone(one_at_a_time_);
  queues_.erase(stream);
}

void HostDevice::require_own(Stream stream) {
  const Alone alone(one_at_a_time_);
  require(queues_.contains(stream), "the stream ", stream, " is not one of ", name());
}

HostDevice::Queue& HostDevice::queue(Stream stream) {
  const Alone alone(one_at_a_time_);
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
  for (;;) {
    {
      const Alone alone(one_at_a_time_);
      while (its_queue.done < count && its_queue.step()) continue;
      if (its_queue.done >= count) return;
      step_all();
    }
    sched_yield();  // others may have what is waited for
  }
}

void HostDevice::push(Stream stream, Work work) {
  const Alone alone(one_at_a_time_);
  if (stream != aside_ && !queue(nullptr).work.empty()) order(nullptr, stream);
  queue(stream).push(std::move(work));
}

void HostDevice::copy(std::byte* to, const std::byte* from, Count bytes, Stream stream) {
  push(stream, [this, to, from, bytes] {
    std::memcpy(address_of(reached(number_of(to))), address_of(reached(number_of(from))),
                static_cast<std::size_t>(bytes));
    return true;
  });
}

void HostDevice::launch(const Launch& launch, Stream stream) {
  push(stream, [this, launch] {
    const auto* const table = reinterpret_cast<const Tile*>(address_of(reached(number_of(launch.table))));
    for (Count i = 0; i < launch.tiles; ++i) run_tile(table, static_cast<unsigned>(i));
    if (launch.news == nullptr) return true;
    const auto* const news = reinterpret_cast<const TileNews*>(address_of(reached(number_of(launch.news))));
    const auto* const words = reinterpret_cast<const std::uint64_t*>(news + 1);
    for (std::uint64_t i = 0; i < news->words; ++i)
      word(words[i]).store(launch.value, std::memory_order_release);
    return true;
  });
}

void HostDevice::order(Stream first, Stream then) {
  const Alone alone(one_at_a_time_);
  if (first == then) return;
  const std::uint64_t count = queue(first).pushed;
  queue(then).push([this, first, count] {
    const auto found = queues_.find(first);  // what was destroyed is done
    return found == queues_.end() || found->second->done >= count;
  });
}

void HostDevice::signal(std::span<const Signal> written, std::span<const Signal> awaited, Stream stream) {
  const Alone alone(one_at_a_time_);
  if (!has_words_ && !(written.empty() && awaited.empty()))
    fail(Fault::internal, "streams of ", name(), " reach no words");
  for (const Signal& one : written)
    push(stream, [this, one] {
      word(number_of(one.word)).store(one.value, std::memory_order_release);
      return true;
    });
  for (const Signal& one : awaited)
    push(stream,
         [this, one] { return word(number_of(one.word)).load(std::memory_order_acquire) >= one.value; });
}

std::atomic_ref<std::uint64_t> HostDevice::word(std::uint64_t address) const {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(address_of(reached(address))));
}

bool HostDevice::finished(Stream stream) {
  const Alone alone(one_at_a_time_);
  Queue& its_queue = queue(stream);
  if (!its_queue.step()) step_all();
  return its_queue.done == its_queue.pushed;
}

void HostDevice::synchronize(Stream stream) {
  Queue* its_queue = nullptr;
  std::uint64_t pushed = 0;
  {
    const Alone alone(one_at_a_time_);
    its_queue = &queue(stream);
    pushed = its_queue->pushed;
  }
  run_until(*its_queue, pushed);
}

void HostDevice::synchronize_all() {
  std::vector<std::pair<Queue*, std::uint64_t>> all;
  {
    const Alone alone(one_at_a_time_);
    for (const auto& [stream, its_queue] : queues_) all.emplace_back(its_queue.get(), its_queue->pushed);
  }
  for (const auto& [its_queue, pushed] : all) run_until(*its_queue, pushed);
}

std::optional<MemoryHandle> HostDevice::exported(const DeviceMemory& memory) {
  const Alone alone(one_at_a_time_);
  const auto block = allocations_.find(number_of(memory.base));
  struct stat own {};
  if (!has_handles_ || block == allocations_.end() || block->second.is_private || block->second.file < 0 ||
      fstat(block->second.file, &own) != 0)
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
