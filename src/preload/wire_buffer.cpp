#include "preload/wire_buffer.hpp"

#include "mpi/call.hpp"
#include "preload/committed_types.hpp"
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
  // Whatever is unusual is left to MPI, absolute addresses as well.
  if (!may_be_committed(type)) return;
  if (address == nullptr || count <= 0 || peer == MPI_PROC_NULL || comm == MPI_COMM_NULL) return;
  try {
    if (!worth_packing(type, count)) return;
    Buffer& buffer = buffer_for(use);
    if (buffer.taken) return;
    packer_ = packer(type, count);
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

void WireBuffer::unpack(const MPI_Status& status) const {
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  if (bytes == count_)
    packer_->unpack(wire_, address_);
  else if (bytes > 0)  // fewer elements than there is room for
    packer_->unpack(wire_, address_, 0, bytes);
}

}  // namespace halocline::preload
