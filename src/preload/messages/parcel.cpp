// SPDX-License-Identifier: BSD-3-Clause
#include "preload/messages/parcel.hpp"

#include "preload/messages/wire_buffer.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/one_thread.hpp"

#include <utility>

namespace halocline::preload {
namespace {

std::size_t handed_out = 0;
constexpr std::size_t most_handed_out = std::size_t{64} << 20;

/// Threads that complete requests at once would need a lock in every completing call.
bool one_thread() {
  static const bool one = [] {
    if (one_thread_at_a_time()) return true;
    note("requests are left to MPI: several threads call it");
    return false;
  }();
  return one;
}

}  // namespace

Parcel::Parcel(Use use, const void* address, MessageToPack message, MPI_Comm comm)
    : message_(std::move(message.message)),
      // What is sent is only read. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
      address_(static_cast<std::byte*>(const_cast<void*>(address))),
      use_(use) {
  if (message.device != nullptr) {
    of_device_ = wire_for(*message.device, message_, comm, place_);
  } else {
    of_host_ = exchange::KeptBuffer(message_.room());
    place_.wire = of_host_.get();
  }
  handed_out += message_.room();
}

Parcel::~Parcel() { handed_out -= message_.room(); }

void Parcel::unpack(const MPI_Status& status) const noexcept {
  int cancelled = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  if (cancelled != 0) return;
  try {
    message_.unpack(status, place_, address_);
  } catch (const std::exception&) {
    PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_INTERN);
    PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_INTERN);
  }
}

ParcelPtr parcel_for(Parcel::Use use, const void* address, int count, MPI_Datatype type, int peer,
                     MPI_Comm comm, const char*& why_not) noexcept {
  std::optional<MessageToPack> message = packed_message(address, count, type, peer, comm, why_not);
  if (!message) return nullptr;
  try {
    if (!one_thread())
      why_not = "several threads call MPI";
    else if (handed_out + message->message.room() > most_handed_out)
      why_not = "more than 64 MiB under way";
    else
      return std::make_unique<Parcel>(use, address, *std::move(message), comm);
  } catch (const std::exception&) {  // no memory: MPI needs less
    why_not = "out of memory";
  }
  return nullptr;
}

}  // namespace halocline::preload
