// SPDX-License-Identifier: BSD-3-Clause
// MPI_Isend, MPI_Irecv and persistent requests of datatypes with gaps. MPI gets the packed bytes, the program
// MPI's request; what is left to do when it completes is done by completion.cpp. Persistent requests of
// collectives are started and freed here as well.

#include "preload/messages/kept_parcels.hpp"
#include "preload/neighbor/failures.hpp"
#include "preload/neighbor/persistent.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"
#include "preload/types/committed_types.hpp"

namespace halocline::preload {
namespace {

using Use = Parcel::Use;

/// False if a device refuses.
bool packs(const Parcel& parcel) noexcept {
  try {
    parcel.pack();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// Posts, or prepares, a message by the function of the system, packed if that is faster.
template <class Buffer, class System>
int post(const System& system, Tally& tally, Use use, Life life, Buffer* buf, int count,
         MPI_Datatype datatype, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const char* why_not = "completions of requests pass by";
  ParcelPtr parcel = request != nullptr && completions_are_seen()
                         ? parcel_for(use, buf, count, datatype, peer, comm, why_not)
                         : nullptr;
  if (parcel && use == Use::send && life == Life::once && !packs(*parcel)) {
    parcel.reset();
    why_not = "a device refuses";
  }
  count_message(tally, parcel != nullptr, why_not, count, datatype);
  if (!parcel) return system(buf, count, datatype, peer, tag, comm, request);
  const int code = system(parcel->wire(), parcel->count(), parcel->type(), peer, tag, comm, request);
  if (code == MPI_SUCCESS) keep(std::move(parcel), *request, life);
  return code;
}

/// Packs what is to be sent, or expects what is to come, if the request has a parcel. Returns the error of a
/// device that refuses: MPI_SUCCESS if there is none.
int prepare(MPI_Request request) {
  Parcel* const parcel = parcel_of(request);
  if (parcel == nullptr) return MPI_SUCCESS;
  parcel->awaited = parcel->use() == Use::receive;
  if (parcel->awaited || packs(*parcel)) return MPI_SUCCESS;
  PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_INTERN);
  return MPI_ERR_INTERN;
}

/// A persistent collective that MPI is about to start. Who sees it started first begins it: a call may pass
/// by here several times.
class Start {
 public:
  explicit Start(MPI_Request request) noexcept
      : collective_(Persistent::find(request)), starts_(collective_ == nullptr ? 0 : collective_->starts()) {}
  explicit operator bool() const { return collective_ != nullptr; }
  void begin() const noexcept {
    if (collective_ != nullptr && collective_->starts() == starts_) collective_->begin();
  }

 private:
  Persistent* collective_;
  std::uint64_t starts_;
};

}  // namespace

#define HALOCLINE_POSTING(function, Name, Pointer, use, life)                                              \
  [[gnu::noinline]] static int function##_packed(Pointer buf, int count, MPI_Datatype datatype, int peer,  \
                                                 int tag, MPI_Comm comm, MPI_Request* request) {           \
    static Tally& tally = tally_of("MPI_" #Name);                                                          \
    return post(HALOCLINE_SYSTEM(Name), tally, use, life, buf, count, datatype, peer, tag, comm, request); \
  }                                                                                                        \
  int function(Pointer buf, int count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm,            \
               MPI_Request* request) {                                                                     \
    const auto known = HALOCLINE_KNOWN_SYSTEM(Prefix::plain, Name).load(std::memory_order_relaxed);        \
    if (known == nullptr || may_be_committed(datatype)) [[unlikely]]                                       \
      return function##_packed(buf, count, datatype, peer, tag, comm, request);                            \
    return known(buf, count, datatype, peer, tag, comm, request);                                          \
  }

HALOCLINE_POSTING(isend, Isend, const void*, Use::send, Life::once)
HALOCLINE_POSTING(issend, Issend, const void*, Use::send, Life::once)
HALOCLINE_POSTING(irecv, Irecv, void*, Use::receive, Life::once)
HALOCLINE_POSTING(send_init, Send_init, const void*, Use::send, Life::persistent)
HALOCLINE_POSTING(ssend_init, Ssend_init, const void*, Use::send, Life::persistent)
HALOCLINE_POSTING(recv_init, Recv_init, void*, Use::receive, Life::persistent)
#undef HALOCLINE_POSTING

template <Prefix prefix>
int start(MPI_Request* request) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Start);
  if (request == nullptr) return system(request);
  if (const int refused = prepare(*request); refused != MPI_SUCCESS) return refused;
  Parcel* const parcel = parcel_of(*request);
  const Start collective(*request);
  const int code = system(request);
  if (code == MPI_SUCCESS) collective.begin();
  if (parcel != nullptr && code != MPI_SUCCESS) parcel->awaited = false;
  return code;
}

template <Prefix prefix>
int startall(int count, MPI_Request requests[]) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Startall);
  std::vector<Start> collectives;
  if (requests != nullptr)
    for (int i = 0; i < count; ++i) {
      if (const int refused = prepare(requests[i]); refused != MPI_SUCCESS) return refused;
      if (const Start collective(requests[i]); collective) collectives.push_back(collective);
    }
  // Where it fails, some are started perhaps; those that are not have an empty status, and nothing to unpack.
  const int code = system(count, requests);
  if (code == MPI_SUCCESS)
    for (const Start& collective : collectives) collective.begin();
  return code;
}

/// Frees a request that has no parcel.
template <Prefix prefix>
static int free_unpacked(MPI_Request* request) {
  const MPI_Request freed = *request;
  if (Persistent* const collective = Persistent::find(freed);
      collective != nullptr && collective->outlive_request()) {
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
  }
  const int code = HALOCLINE_SYSTEM_BY(prefix, Request_free)(request);
  if (code != MPI_SUCCESS) return code;
  drop_failure(freed);
  Persistent::forget(freed);
  return code;
}

template <Prefix prefix>
int request_free(MPI_Request* request) {
  const auto system = HALOCLINE_SYSTEM_BY(prefix, Request_free);
  if (request == nullptr) return system(request);
  look_after_adopted();
  const auto noted = note_of(*request);
  if (!noted) return free_unpacked<prefix>(request);
  MPI_Status status;
  int done = 0;
  const int code = HALOCLINE_SYSTEM_BY(Prefix::profiling, Request_get_status)(*request, &done, &status);
  if (code == MPI_SUCCESS && done == 0) {
    adopt(*parcel_of(*request));
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
  }
  if (code == MPI_SUCCESS) deliver(*noted, status);
  const int freed = system(request);
  if (freed == MPI_SUCCESS) forget(*noted);
  return freed;
}

/// A collective cannot be cancelled: it goes on.
template <Prefix prefix>
int cancel(MPI_Request* request) {
  if (request != nullptr && Persistent::find(*request) != nullptr) return MPI_SUCCESS;
  return HALOCLINE_SYSTEM_BY(prefix, Cancel)(request);
}

HALOCLINE_BOTH_WAYS(Start, start)
HALOCLINE_BOTH_WAYS(Startall, startall)
HALOCLINE_BOTH_WAYS(Request_free, request_free)
HALOCLINE_BOTH_WAYS(Cancel, cancel)

}  // namespace halocline::preload
