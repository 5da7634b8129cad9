// SPDX-License-Identifier: BSD-3-Clause
#include "preload/messages/kept_parcels.hpp"

#include "base/hash.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/system.hpp"
#include "preload/process/under_way.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace halocline::preload {

namespace {

// Lists through the parcels themselves: keeping one takes no memory and cannot fail.
constexpr int index_bits = 12;
std::array<Parcel*, std::size_t{1} << index_bits> heads{};
Parcel* adopted = nullptr;
bool all_seen = true;

Parcel*& head_of(MPI_Request request) {
  return heads[golden_place(std::hash<MPI_Request>()(request), index_bits)];
}

/// The pointer that leads to the parcel of a request, or to the end of its list.
Parcel** place_of(MPI_Request request) {
  Parcel** place = &head_of(request);
  while (*place != nullptr && (*place)->request != request) place = &(*place)->next;
  return place;
}

ParcelPtr take_out(Parcel** place) {
  ParcelPtr parcel(*place);
  *place = parcel->next;
  ours_under_way.fetch_sub(1, std::memory_order_relaxed);
  return parcel;
}

/// Null if it is gone: another door has seen the completion.
Parcel** place_of(const Noted& noted) {
  Parcel** const place = place_of(noted.request);
  return *place != nullptr && (*place)->serial == noted.serial ? place : nullptr;
}

bool is_complete(MPI_Request request) {
  int done = 0;
  const int code =
      HALOCLINE_SYSTEM_BY(Prefix::profiling, Request_get_status)(request, &done, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS && done != 0;
}

void finish(const Noted& noted, const MPI_Status* received) {
  Parcel** const place = place_of(noted);
  if (place == nullptr) return;
  Parcel& parcel = **place;
  if (parcel.awaited && noted.awaited && received != nullptr) parcel.unpack(*received);
  parcel.awaited = false;
  if (!parcel.persistent) take_out(place);
}

}  // namespace

void keep(ParcelPtr parcel, MPI_Request request, Life life) noexcept {
  static std::uint64_t serials = 0;
  if (Parcel** const place = place_of(request); *place != nullptr) {
    // Asked only here, because it makes progress, which takes longer than sending.
    if (life == Life::once && parcel->use() == Parcel::Use::send && is_complete(request)) return;
    take_out(place);
    if (all_seen) note("requests are left to MPI from now on: one was completed unseen");
    all_seen = false;
  }
  parcel->request = request;
  parcel->serial = ++serials;
  parcel->persistent = life == Life::persistent;
  parcel->awaited = life == Life::once && parcel->use() == Parcel::Use::receive;
  Parcel*& head = head_of(request);
  parcel->next = head;
  head = parcel.release();
  ours_under_way.fetch_add(1, std::memory_order_relaxed);
}

bool completions_are_seen() noexcept { return all_seen; }

Parcel* parcel_of(MPI_Request request) noexcept { return *place_of(request); }

std::optional<Noted> note_of(MPI_Request request) noexcept {
  const Parcel* const parcel = parcel_of(request);
  if (parcel == nullptr) return std::nullopt;
  return Noted{request, parcel->serial, parcel->persistent, parcel->awaited};
}

void complete(const Noted& noted, const MPI_Status* status) noexcept {
  finish(noted, noted.awaited ? status : nullptr);
}
void complete_failed(const Noted& noted) noexcept { finish(noted, nullptr); }

void deliver(const Noted& noted, const MPI_Status& status) noexcept {
  Parcel** const place = place_of(noted);
  if (place == nullptr || !(*place)->awaited) return;
  (*place)->unpack(status);
  (*place)->awaited = false;
}

void forget(const Noted& noted) noexcept {
  if (Parcel** const place = place_of(noted)) take_out(place);
}

NotedList::NotedList(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    if (const auto noted = note_of(requests[i])) {
      entries_.push_back({i, *noted});
      awaited_ = awaited_ || noted->awaited;
    }
}

const Noted* NotedList::at(int index) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), index,
                                      [](const Entry& entry, int wanted) { return entry.index < wanted; });
  return found != entries_.end() && found->index == index ? &found->noted : nullptr;
}

void adopt(Parcel& parcel) noexcept {
  ParcelPtr taken = take_out(place_of(parcel.request));
  taken->next = adopted;
  adopted = taken.release();
  ours_under_way.fetch_add(1, std::memory_order_relaxed);
}

void look_after_adopted() noexcept {
  if (adopted == nullptr) return;
  const auto get_status = HALOCLINE_SYSTEM_BY(Prefix::profiling, Request_get_status);
  const auto free_request = HALOCLINE_SYSTEM_BY(Prefix::profiling, Request_free);
  for (Parcel** place = &adopted; *place != nullptr;) {
    MPI_Status status;
    int done = 0;
    const int code = get_status((*place)->request, &done, &status);
    if (done == 0 && code == MPI_SUCCESS) {
      place = &(*place)->next;
      continue;
    }
    const ParcelPtr parcel = take_out(place);
    if (parcel->awaited && code == MPI_SUCCESS) parcel->unpack(status);
    free_request(&parcel->request);
  }
}

}  // namespace halocline::preload
