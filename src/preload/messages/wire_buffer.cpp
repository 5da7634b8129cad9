// SPDX-License-Identifier: BSD-3-Clause
#include "preload/messages/wire_buffer.hpp"

#include "base/index.hpp"
#include "base/numbers.hpp"
#include "preload/process/comm_errors.hpp"
#include "preload/types/packers.hpp"

#include <array>
#include <memory>

namespace halocline::preload {
namespace {

struct Buffer {
  std::unique_ptr<std::byte[]> memory;
  std::size_t bytes = 0;
  bool taken = false;

  std::byte* take(std::size_t wanted) {
    if (bytes < wanted) {
      memory = std::make_unique_for_overwrite<std::byte[]>(wanted);
      bytes = wanted;
    }
    taken = true;
    return memory.get();
  }
};

Buffer& buffer_for(WireBuffer::Use use) {
  thread_local std::array<Buffer, 2> buffers;
  return buffers[to_index(use)];
}

}  // namespace

accelerate::KeptMemory wire_for(accelerate::Device& device, const PackedMessage& message, MPI_Comm comm,
                                WirePlace& place) {
  using Kind = accelerate::OwnMemory::Kind;
  const bool on_device = packs_into_devices() && errors_are_fatal(comm);
  accelerate::KeptMemory memory(device, on_device ? Kind::of_device : Kind::pinned, to_count(message.room()));
  place = {memory.get(), &device, on_device};
  return memory;
}

WireBuffer::WireBuffer(Use use, const void* address, int count, MPI_Datatype type, int peer,
                       MPI_Comm comm) noexcept
    : use_(use),
      // What is sent is only read. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
      address_(static_cast<std::byte*>(const_cast<void*>(address))),
      count_(count),
      type_(type) {
  try {
    std::optional<MessageToPack> found = packed_message(address, count, type, peer, comm, why_not_);
    if (!found) return;
    message_ = std::move(found->message);
    WirePlace place;
    if (found->device != nullptr) {
      of_device_ = wire_for(*found->device, message_, comm, place);
    } else if (Buffer& buffer = buffer_for(use); !buffer.taken) {
      place.wire = buffer.take(message_.room());
    } else {
      why_not_ = "a call inside another";
      return;
    }
    place_ = place;
    if (use == Use::send) message_.pack(address_, place_);
  } catch (const std::exception&) {  // no memory, or a device refuses: MPI gets it as it is
    leave();
    why_not_ = "out of memory";
  }
}

void WireBuffer::leave() noexcept {
  if (in_use() && place_.device == nullptr) buffer_for(use_).taken = false;
  place_ = {};
}

}  // namespace halocline::preload
