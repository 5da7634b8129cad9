// SPDX-License-Identifier: BSD-3-Clause
// The calls that complete requests. MPI completes them; for requests that have a parcel, what came is
// unpacked and the parcel goes. Before the call it is noted which these are, because MPI forgets the handles.
// Collectives under way are moved here, where MPI does not.

#include "preload/messages/kept_parcels.hpp"
#include "preload/neighbor/collective.hpp"
#include "preload/neighbor/failures.hpp"
#include "preload/neighbor/persistent.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"

#include <sched.h>

namespace halocline::preload {
namespace {

/// Statuses for MPI to fill: those of the program, or our own where it wants none and we do.
class Statuses {
 public:
  Statuses(bool needed, int count, MPI_Status* programs, const MPI_Status* ignored) : used_(programs) {
    if (!needed || programs != ignored) return;
    own_.resize(static_cast<std::size_t>(count));
    used_ = own_.data();
  }
  [[nodiscard]] MPI_Status* get() const { return used_; }

 private:
  std::vector<MPI_Status> own_;
  MPI_Status* used_;
};

/// MPI forgets the handle of a request that it completes, also of one that failed, unless it is persistent.
bool may_be_complete(const Noted& noted, MPI_Request now) {
  return noted.persistent || now == MPI_REQUEST_NULL;
}

/// A call about one request has failed. Did it take the request with it, or was there none to complete?
void settle_failed(const Noted& noted, MPI_Request now) {
  if (may_be_complete(noted, now)) complete_failed(noted);
}

/// A call about several has failed before it could say which of them did.
void settle_failed(const NotedList& list, const MPI_Request* now) {
  for (const auto& [index, noted] : list.entries())
    if (!noted.persistent) settle_failed(noted, now[index]);
}

/// After a call that completes all or none, or tells errors of single requests in statuses, which there are
/// if anything awaits one.
void settle_all(const NotedList& list, const MPI_Request* now, const MPI_Status* statuses, int code) {
  if (code != MPI_SUCCESS && (!list.awaited() || !tells_in_statuses(code))) return settle_failed(list, now);
  for (const auto& [index, noted] : list.entries()) {
    const MPI_Status* const status = list.awaited() ? statuses + index : nullptr;
    const int error = code == MPI_SUCCESS ? MPI_SUCCESS : status->MPI_ERROR;
    if (error == MPI_ERR_PENDING || (code != MPI_SUCCESS && !may_be_complete(noted, now[index]))) continue;
    if (error == MPI_SUCCESS)
      complete(noted, status);
    else
      complete_failed(noted);
  }
}

/// After a call that completes some.
void settle_some(const NotedList& list, const MPI_Request* now, int outcount, const int* indices,
                 const MPI_Status* statuses, int code) {
  if (code != MPI_SUCCESS && (!list.awaited() || !tells_in_statuses(code))) return settle_failed(list, now);
  if (outcount == MPI_UNDEFINED) return;
  for (int i = 0; i < outcount; ++i) {
    const Noted* const noted = list.at(indices[i]);
    if (noted == nullptr) continue;
    const MPI_Status* const status = list.awaited() ? statuses + i : nullptr;
    if (code == MPI_SUCCESS || status->MPI_ERROR == MPI_SUCCESS)
      complete(*noted, status);
    else
      complete_failed(*noted);
  }
}

/// By MPI_Waitsome or MPI_Testsome of the system.
template <class System>
int complete_some(const System& system, int count, MPI_Request* requests, int* outcount, int* indices,
                  MPI_Status* statuses) {
  const NotedList list(count, requests);
  const Raising raising(count, requests);
  const Statuses used(list.awaited() || raising.watches(), count, statuses, MPI_STATUSES_IGNORE);
  const int code = system(count, requests, outcount, indices, used.get());
  settle_some(list, requests, *outcount, indices, used.get(), code);
  look_after_adopted();
  return raising.some(code, *outcount, indices, used.get());
}

/// After a call that completes one of several, or says MPI_UNDEFINED.
void settle_any(const NotedList& list, const MPI_Request* now, int index, const MPI_Status* status,
                int code) {
  if (code != MPI_SUCCESS) return settle_failed(list, now);
  if (index == MPI_UNDEFINED) return;
  if (const Noted* const noted = list.at(index)) complete(*noted, status);
}

}  // namespace

// Programs that have nothing of ours under way get here once: see Quick in takeover.cpp.

template <Prefix prefix>
int request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Request_get_status);
  if (flag == nullptr) return system(request, flag, status);
  advance_pending();
  const auto noted = note_of(request);
  const bool awaited = noted && noted->awaited;
  const Statuses statuses(awaited, 1, status, MPI_STATUS_IGNORE);
  const int code = system(request, flag, statuses.get());
  if (awaited && code == MPI_SUCCESS && *flag != 0) deliver(*noted, *statuses.get());
  // It stays incomplete, and will be asked again.
  if (Persistent::find(request) == nullptr) drop_failure(request);
  look_after_adopted();
  return code;
}

template <Prefix prefix>
int wait(MPI_Request* request, MPI_Status* status) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Wait);
  if (request == nullptr) return system(request, status);
  finish_pending(*request);
  const auto noted = note_of(*request);
  const Statuses statuses(noted && noted->awaited, 1, status, MPI_STATUS_IGNORE);
  const Raising raising(1, request);
  const int code = system(request, statuses.get());
  if (noted && code == MPI_SUCCESS) complete(*noted, statuses.get());
  if (noted && code != MPI_SUCCESS) settle_failed(*noted, *request);
  look_after_adopted();
  return raising.one(code);
}

template <Prefix prefix>
int test(MPI_Request* request, int* flag, MPI_Status* status) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Test);
  if (request == nullptr || flag == nullptr) return system(request, flag, status);
  advance_pending();
  const auto noted = note_of(*request);
  const Statuses statuses(noted && noted->awaited, 1, status, MPI_STATUS_IGNORE);
  const Raising raising(1, request);
  const int code = system(request, flag, statuses.get());
  if (noted && code == MPI_SUCCESS && *flag != 0) complete(*noted, statuses.get());
  if (noted && code != MPI_SUCCESS) settle_failed(*noted, *request);
  look_after_adopted();
  return *flag != 0 ? raising.one(code) : code;
}

template <Prefix prefix>
int waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Waitany);
  if (requests == nullptr || index == nullptr) return system(count, requests, index, status);
  for (; any_pending(count, requests); sched_yield()) {
    int flag = 0;
    const int code = testany<prefix>(count, requests, index, &flag, status);
    if (code != MPI_SUCCESS || flag != 0) return code;
  }
  const NotedList list(count, requests);
  const Raising raising(count, requests);
  const Statuses statuses(list.awaited(), 1, status, MPI_STATUS_IGNORE);
  const int code = system(count, requests, index, statuses.get());
  settle_any(list, requests, *index, statuses.get(), code);
  look_after_adopted();
  return *index != MPI_UNDEFINED ? raising.one(code, *index) : code;
}

template <Prefix prefix>
int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Testany);
  if (requests == nullptr || index == nullptr || flag == nullptr)
    return system(count, requests, index, flag, status);
  advance_pending();
  const NotedList list(count, requests);
  const Raising raising(count, requests);
  const Statuses statuses(list.awaited(), 1, status, MPI_STATUS_IGNORE);
  const int code = system(count, requests, index, flag, statuses.get());
  if (code != MPI_SUCCESS || *flag != 0) settle_any(list, requests, *index, statuses.get(), code);
  look_after_adopted();
  return *flag != 0 && *index != MPI_UNDEFINED ? raising.one(code, *index) : code;
}

template <Prefix prefix>
int waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Waitall);
  if (requests == nullptr) return system(count, requests, statuses);
  for (int i = 0; i < count; ++i) finish_pending(requests[i]);
  const NotedList list(count, requests);
  const Raising raising(count, requests);
  const Statuses used(list.awaited() || raising.watches(), count, statuses, MPI_STATUSES_IGNORE);
  const int code = system(count, requests, used.get());
  settle_all(list, requests, used.get(), code);
  look_after_adopted();
  return raising.all(code, used.get());
}

template <Prefix prefix>
int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Testall);
  if (requests == nullptr || flag == nullptr) return system(count, requests, flag, statuses);
  advance_pending();
  const NotedList list(count, requests);
  const Raising raising(count, requests);
  const Statuses used(list.awaited() || raising.watches(), count, statuses, MPI_STATUSES_IGNORE);
  const int code = system(count, requests, flag, used.get());
  if (code != MPI_SUCCESS || *flag != 0) settle_all(list, requests, used.get(), code);
  look_after_adopted();
  return code != MPI_SUCCESS || *flag != 0 ? raising.all(code, used.get()) : code;
}

template <Prefix prefix>
int waitsome(int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Waitsome);
  if (requests == nullptr || outcount == nullptr) return system(count, requests, outcount, indices, statuses);
  for (; any_pending(count, requests); sched_yield()) {
    const int code = testsome<prefix>(count, requests, outcount, indices, statuses);
    if (code != MPI_SUCCESS || *outcount != 0) return code;
  }
  return complete_some(system, count, requests, outcount, indices, statuses);
}

template <Prefix prefix>
int testsome(int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Testsome);
  if (requests == nullptr || outcount == nullptr) return system(count, requests, outcount, indices, statuses);
  advance_pending();
  return complete_some(system, count, requests, outcount, indices, statuses);
}

HALOCLINE_BOTH_WAYS(Request_get_status, request_get_status)
HALOCLINE_BOTH_WAYS(Wait, wait)
HALOCLINE_BOTH_WAYS(Test, test)
HALOCLINE_BOTH_WAYS(Waitany, waitany)
HALOCLINE_BOTH_WAYS(Testany, testany)
HALOCLINE_BOTH_WAYS(Waitall, waitall)
HALOCLINE_BOTH_WAYS(Testall, testall)
HALOCLINE_BOTH_WAYS(Waitsome, waitsome)
HALOCLINE_BOTH_WAYS(Testsome, testsome)

}  // namespace halocline::preload
