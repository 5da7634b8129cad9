// SPDX-License-Identifier: BSD-3-Clause
// Parcels under way, by the handles of their requests. Every call that completes requests looks here what is
// left to do, if there is anything: see under_way.hpp.
//
// A call may pass by several times, since tools and Fortran libraries call one name of MPI from the other:
// whoever sees a completion first does what is left, and a parcel that was taken out is not found again.
#pragma once

#include "exchange/streams/request_calls.hpp"
#include "preload/messages/parcel.hpp"

#include <optional>
#include <span>
#include <vector>

namespace halocline::preload {

using exchange::Life;

/// From now on the parcel belongs to the request. MPI may have one handle for all sends that are complete
/// when they are posted: of these one parcel is kept, which is one too many. Any other parcel that is there
/// already was completed without us: it goes, and no more should be made.
void keep(ParcelPtr parcel, MPI_Request request, Life life) noexcept;
/// False once a completion has passed us by: nothing may rely on seeing them then.
[[nodiscard]] bool completions_are_seen() noexcept;

/// That of a request; null if it has none.
[[nodiscard]] Parcel* parcel_of(MPI_Request request) noexcept;

/// The parcel of a request that MPI may complete, after which its handle is gone.
struct Noted {
  MPI_Request request;
  std::uint64_t serial;
  bool persistent;
  bool awaited;  ///< Its status will be needed.
};
[[nodiscard]] std::optional<Noted> note_of(MPI_Request request) noexcept;

/// The request of a note is complete: unpacks what came and was not unpacked before. The parcel goes, unless
/// its request is persistent. `status` is looked at only if the note said awaited.
void complete(const Noted& noted, const MPI_Status* status) noexcept;
/// The same for one that failed: nothing is unpacked.
void complete_failed(const Noted& noted) noexcept;
/// The request of a note has its data and stays.
void deliver(const Noted& noted, const MPI_Status& status) noexcept;
/// The request of a note is gone, persistent or not.
void forget(const Noted& noted) noexcept;

/// The notes of a list of requests.
class NotedList {
 public:
  struct Entry {
    int index;  ///< In the list.
    Noted noted;
  };
  NotedList(int count, const MPI_Request* requests);

  [[nodiscard]] bool awaited() const { return awaited_; }
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  /// Null if this request has no parcel.
  [[nodiscard]] const Noted* at(int index) const;

 private:
  std::vector<Entry> entries_;
  bool awaited_ = false;
};

/// The program has freed a request that is not complete. The request stays ours, and its parcel until it is.
void adopt(Parcel& parcel) noexcept;
/// Looks whether requests that the program has freed are complete. Calls that wait or receive end with it.
void look_after_adopted() noexcept;

}  // namespace halocline::preload
