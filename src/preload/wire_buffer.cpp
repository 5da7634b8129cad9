#include "preload/wire_buffer.hpp"

#include "mpi/call.hpp"
#include "preload/packers.hpp"

#include <array>
#include <memory>

namespace halocline::preload {
namespace {

struct Buffer {
  std::unique_ptr<std::byte[]> memory;
  Count bytes = 0;
  bool taken = false;

  std::byte* take(Count wanted) {
    if (bytes < wanted) {
      memory = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(wanted));
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
    packer_ = message_packer(address, count, type, peer, comm);
    if (!packer_) return;
    Buffer& buffer = buffer_for(use);
    if (buffer.taken) return;
    wire_ = buffer.take(packer_->bytes());
    count_ = static_cast<int>(packer_->bytes());
    type_ = MPI_PACKED;
    if (use == Use::send) packer_->pack(address_, wire_);
  } catch (const std::exception&) {  // no memory: MPI needs less
  }
}

WireBuffer::~WireBuffer() {
  if (in_use()) buffer_for(use_).taken = false;
}

void WireBuffer::unpack(const MPI_Status& status) const { unpack_message(*packer_, status, wire_, address_); }

void unpack_message(const compile::Packer& packer, const MPI_Status& status, const std::byte* wire,
                    std::byte* address) {
  int came = 0;
  PMPI_Get_count(&status, MPI_BYTE, &came);
  if (came == packer.bytes())
    packer.unpack(wire, address);
  else if (came > 0 && came < packer.bytes())  // fewer elements than there is room for
    packer.unpack(wire, address, 0, came);
}

}  // namespace halocline::preload
