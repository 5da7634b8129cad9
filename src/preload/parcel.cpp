#include "preload/parcel.hpp"

#include "preload/journal.hpp"
#include "preload/one_thread.hpp"
#include "preload/packers.hpp"

#include <array>
#include <bit>

namespace halocline::preload {

/// Parcels that nobody has, by the sizes of their memory: powers of two.
class ParcelStore {
 public:
  /// Lives as long as the process: requests may be completed by whatever runs at its end.
  static ParcelStore& of_process() {
    static ParcelStore& store = *new ParcelStore;
    return store;
  }

  /// Null if parcels have too much memory already.
  ParcelPtr take(Parcel::Use use, const void* address, PackedMessage message) {
    const std::size_t room = std::bit_ceil(message.bytes());
    if (handed_out_ + room > most_handed_out) return nullptr;
    Parcel*& first = free_list(room);
    ParcelPtr parcel(first);
    if (parcel) {
      first = parcel->next;
      kept_ -= room;
    } else {
      auto fresh = std::make_unique<Parcel>();
      fresh->wire_ = std::make_unique_for_overwrite<std::byte[]>(room + gap_bytes);
      fresh->room_ = room;
      parcel.reset(fresh.release());
    }
    handed_out_ += room;
    parcel->use_ = use;
    parcel->message_ = std::move(message);
    // What is sent is only read. NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    parcel->address_ = static_cast<std::byte*>(const_cast<void*>(address));
    parcel->awaited = parcel->persistent = false;
    return parcel;
  }

  void give_back(Parcel* parcel) noexcept {
    handed_out_ -= parcel->room_;
    if (kept_ + parcel->room_ > most_kept) {
      delete parcel;
      return;
    }
    kept_ += parcel->room_;
    Parcel*& first = free_list(parcel->room_);
    parcel->next = first;
    first = parcel;
  }

 private:
  static constexpr std::size_t most_handed_out = std::size_t{64} << 20, most_kept = std::size_t{16} << 20;

  Parcel*& free_list(std::size_t room) { return free_[static_cast<std::size_t>(std::countr_zero(room))]; }

  std::array<Parcel*, 64> free_{};
  std::size_t handed_out_ = 0, kept_ = 0;  ///< Bytes.
};

namespace {

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

void Parcel::unpack(const MPI_Status& status) const {
  int cancelled = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  if (cancelled == 0) message_.unpack(status, wire_.get(), address_);
}

void GiveBack::operator()(Parcel* parcel) const noexcept { ParcelStore::of_process().give_back(parcel); }

ParcelPtr parcel_for(Parcel::Use use, const void* address, int count, MPI_Datatype type, int peer,
                     MPI_Comm comm) noexcept {
  std::optional<PackedMessage> message = packed_message(address, count, type, peer, comm);
  if (!message) return nullptr;
  try {
    if (!one_thread()) return nullptr;
    return ParcelStore::of_process().take(use, address, *std::move(message));
  } catch (const std::exception&) {  // no memory: MPI needs less
    return nullptr;
  }
}

}  // namespace halocline::preload
