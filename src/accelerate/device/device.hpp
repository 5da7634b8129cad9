// SPDX-License-Identifier: BSD-3-Clause
// What the library needs of an accelerator: memory, streams, one kernel, and handles by which processes reach
// each other's memory. No process pays for it that has no memory on a device.
#pragma once

#include "accelerate/kernel/tile.hpp"
#include "halocline/base/count.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace halocline::accelerate {

/// A queue of work as the device's own interface calls it, so that users give theirs. Null is the default
/// one.
using Stream = void*;

/// Handles that mean another stream on each device: the default one, also as drivers name it for all threads
/// of the process, and for each.
[[nodiscard]] inline bool is_default(Stream stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

/// What a process tells others of memory, so that they can open it.
struct MemoryHandle {
  std::array<std::byte, 64> bytes{};
  bool operator<(const MemoryHandle& other) const { return bytes < other.bytes; }
};

/// A word in memory of a device by which streams of several processes wait for each other.
struct Signal {
  std::uint64_t* word;
  std::uint64_t value;
};

/// Of the transfer kernel.
struct Launch {
  const Tile* table;         ///< In memory that the device reaches, as all of it.
  Count tiles;               ///< At least 1.
  TileNews* news = nullptr;  ///< Who hears when all of them are done. One launch at a time has it.
  std::uint64_t value = 0;   ///< What they hear.
};

class Device;

/// Memory that a device allocated.
struct DeviceMemory {
  Device* device;
  std::byte* base;
  Count bytes;
};

/// Calls throw Error{out_of_memory} where memory is wanted and not there, Error{internal} if the device
/// refuses anything else. To be used by one thread at a time.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// For people.
  [[nodiscard]] virtual std::string name() const = 0;
  /// A number that processes of a node have in common for it, however each of them numbers devices; none if
  /// the system does not tell.
  [[nodiscard]] virtual std::optional<Count> place() const = 0;

  /// Memory of the device; its addresses mean nothing to the host's processor. @pre bytes > 0
  [[nodiscard]] virtual std::byte* allocate(Count bytes) = 0;
  virtual void free(std::byte* memory) noexcept = 0;
  /// Memory of a pool, as programs have it that allocate often: others have no handle for it. Throws
  /// Error{unsupported} if the device has no pools. @pre bytes > 0
  [[nodiscard]] virtual std::byte* allocate_from_pool(Count bytes) = 0;
  virtual void free_to_pool(std::byte* memory) noexcept = 0;
  /// What no other allocation of this process ever has, neither before nor after it was freed; none if there
  /// is no memory of the device at the address, or the driver does not tell. Takes about 0.1 us.
  [[nodiscard]] virtual std::optional<std::uint64_t> allocation_number(const std::byte* address) = 0;
  /// Memory of the host that the device reaches at the same address. @pre bytes > 0
  [[nodiscard]] virtual std::byte* allocate_pinned(Count bytes) = 0;
  virtual void free_pinned(std::byte* memory) noexcept = 0;

  [[nodiscard]] virtual Stream create_stream() = 0;
  /// What is in it still comes to its end.
  virtual void destroy_stream(Stream stream) noexcept = 0;
  /// One of the library's that waits for no other, nor the default stream for it, so that neither does who
  /// waits for it: for what a program's work has no part in. The same each time.
  [[nodiscard]] virtual Stream aside() = 0;
  /// Throws Error{invalid_argument} if the stream is one of another device. A default stream is one of the
  /// device that the thread works with.
  virtual void require_own(Stream stream) = 0;

  /// Between any memories, of the host or of the device. Memory of the host stays as it is until then.
  virtual void copy(std::byte* to, const std::byte* from, Count bytes, Stream stream) = 0;
  virtual void launch(const Launch& launch, Stream stream) = 0;
  /// What `then` gets from now on begins when all that `first` has now is done.
  virtual void order(Stream first, Stream then) = 0;

  /// Can streams wait for words?
  [[nodiscard]] virtual bool has_signals() const = 0;
  /// When the stream comes there, it writes the values to some words, once all it did before can be seen, and
  /// waits until other words have reached theirs. @pre has_signals()
  virtual void signal(std::span<const Signal> written, std::span<const Signal> awaited, Stream stream) = 0;

  /// Is all done? Never waits.
  [[nodiscard]] virtual bool finished(Stream stream) = 0;
  virtual void synchronize(Stream stream) = 0;
  /// All streams of the process on this device.
  virtual void synchronize_all() = 0;

  /// For other processes of the node; none if the system, or the way it was allocated, does not allow it.
  [[nodiscard]] virtual std::optional<MemoryHandle> exported(const DeviceMemory& memory) = 0;
  /// The first byte of what another process has exported, as long as anybody holds it; null if it cannot be
  /// had. A process cannot open what it has exported itself.
  [[nodiscard]] std::shared_ptr<std::byte> opened(const MemoryHandle& handle);

 protected:
  [[nodiscard]] virtual std::byte* open(const MemoryHandle& handle) = 0;
  virtual void close(std::byte* memory) noexcept = 0;

 private:
  std::map<MemoryHandle, std::weak_ptr<std::byte>> opened_;  ///< A handle may be opened once at a time.
};

/// Memory that is freed with its owner.
class OwnMemory {
 public:
  enum class Kind { of_device, of_pool, pinned };
  OwnMemory() = default;
  /// None if there are no bytes.
  OwnMemory(Device& device, Kind kind, Count bytes);
  OwnMemory(OwnMemory&& other) noexcept;
  OwnMemory& operator=(OwnMemory&& other) noexcept;
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;
  ~OwnMemory();

  [[nodiscard]] std::byte* get() const { return memory_; }

 private:
  Device* device_ = nullptr;
  Kind kind_ = Kind::of_device;
  std::byte* memory_ = nullptr;
};

/// A stream that is destroyed with its owner.
class OwnStream {
 public:
  explicit OwnStream(Device& device) : device_(device), stream_(device.create_stream()) {}
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() { device_.destroy_stream(stream_); }

  [[nodiscard]] Stream get() const { return stream_; }

 private:
  Device& device_;
  Stream stream_;
};

}  // namespace halocline::accelerate
