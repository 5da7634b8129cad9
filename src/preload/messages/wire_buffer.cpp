// SPDX-License-Identifier: BSD-3-Clause
#include "preload/messages/wire_buffer.hpp"

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
  return buffers[static_cast<std::size_t>(use)];
}

}  // namespace

WireBuffer::WireBuffer(Use use, const void* address, int count, MPI_Datatype type, int peer,
                       MPI_Comm comm) noexcept
    : use_(use),
      // What is sent is only read. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
      address_(static_cast<std::byte*>(const_cast<void*>(address))),
      count_(count),
      type_(type) {
  try {
    message_ = packed_message(address, count, type, peer, comm, why_not_);
    if (!message_) return;
    Buffer& buffer = buffer_for(use);
    if (buffer.taken) {
      why_not_ = "a call inside another";
      return;
    }
    wire_ = buffer.take(message_->room());
    if (use == Use::send) message_->pack(address_, wire_);
  } catch (const std::exception&) {  // no memory: MPI needs less
  }
}

WireBuffer::~WireBuffer() {
  if (in_use()) buffer_for(use_).taken = false;
}

}  // namespace halocline::preload
