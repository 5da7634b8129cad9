// SPDX-License-Identifier: BSD-3-Clause
#include "preload/messages/parcel.hpp"

#include "preload/process/journal.hpp"
#include "preload/process/one_thread.hpp"
#include "preload/types/packers.hpp"

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

Parcel::Parcel(Use use, const void* address, PackedMessage message)
    : message_(std::move(message)),
      // What is sent is only read. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
      address_(static_cast<std::byte*>(const_cast<void*>(address))),
      wire_(message_.room()),
      use_(use) {
  handed_out += message_.room();
}

Parcel::~Parcel() { handed_out -= message_.room(); }

void Parcel::unpack(const MPI_Status& status) const {
  int cancelled = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  if (cancelled == 0) message_.unpack(status, wire_.get(), address_);
}

ParcelPtr parcel_for(Parcel::Use use, const void* address, int count, MPI_Datatype type, int peer,
                     MPI_Comm comm, const char*& why_not) noexcept {
  std::optional<PackedMessage> message = packed_message(address, count, type, peer, comm, why_not);
  if (!message) return nullptr;
  try {
    if (!one_thread())
      why_not = "several threads call MPI";
    else if (handed_out + message->room() > most_handed_out)
      why_not = "more than 64 MiB under way";
    else
      return std::make_unique<Parcel>(use, address, *std::move(message));
  } catch (const std::exception&) {  // no memory: MPI needs less
    why_not = "out of memory";
  }
  return nullptr;
}

}  // namespace halocline::preload
