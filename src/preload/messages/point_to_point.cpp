// SPDX-License-Identifier: BSD-3-Clause
// MPI_Send, MPI_Ssend, MPI_Recv and MPI_Sendrecv of datatypes with gaps. The message is the same on the wire:
// MPI packs in the same order, and a status counts bytes. Calls that leave requests behind are in
// requests.cpp.

#include "preload/messages/kept_parcels.hpp"
#include "preload/messages/wire_buffer.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/system.hpp"
#include "preload/process/takeover.hpp"
#include "preload/process/under_way.hpp"
#include "preload/types/committed_types.hpp"

namespace halocline::preload {
namespace {

using Use = WireBuffer::Use;

/// At the end of a call that receives: what came before may be the message of a request that was freed.
int after_receive(int code) {
  if (any_under_way()) look_after_adopted();
  return code;
}

/// Receives by `receive(status)` and unpacks. MPI's error handler was called where that failed.
template <class Receive>
int received(const WireBuffer& in, MPI_Comm comm, MPI_Status* status, const Receive& receive) {
  MPI_Status own;
  MPI_Status* const used = in.in_use() && status == MPI_STATUS_IGNORE ? &own : status;
  const int code = receive(used);
  if (!in.in_use() || code != MPI_SUCCESS) return after_receive(code);
  try {
    in.unpack(*used);
  } catch (const std::exception&) {  // a device refuses
    PMPI_Comm_call_errhandler(comm, MPI_ERR_INTERN);
    return after_receive(MPI_ERR_INTERN);
  }
  return after_receive(MPI_SUCCESS);
}

}  // namespace

// Each begins with the way of most programs, which costs next to nothing.

#define HALOCLINE_SENDING(function, Name)                                                             \
  [[gnu::noinline]] static int function##_packed(const void* buf, int count, MPI_Datatype datatype,   \
                                                 int dest, int tag, MPI_Comm comm) {                  \
    static Tally& tally = tally_of("MPI_" #Name);                                                     \
    const WireBuffer out(Use::send, buf, count, datatype, dest, comm);                                \
    count_message(tally, out.in_use(), out.why_not(), count, datatype);                               \
    return HALOCLINE_SYSTEM(Name)(out.address(), out.count(), out.type(), dest, tag, comm);           \
  }                                                                                                   \
  int function(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) { \
    const auto known = HALOCLINE_KNOWN_SYSTEM(Prefix::plain, Name).load(std::memory_order_relaxed);   \
    if (known == nullptr || may_be_committed(datatype)) [[unlikely]]                                  \
      return function##_packed(buf, count, datatype, dest, tag, comm);                                \
    return known(buf, count, datatype, dest, tag, comm);                                              \
  }

HALOCLINE_SENDING(send, Send)
HALOCLINE_SENDING(ssend, Ssend)
#undef HALOCLINE_SENDING

[[gnu::noinline]] static int recv_packed(void* buf, int count, MPI_Datatype datatype, int source, int tag,
                                         MPI_Comm comm, MPI_Status* status) {
  static Tally& tally = tally_of("MPI_Recv");
  const WireBuffer in(Use::receive, buf, count, datatype, source, comm);
  count_message(tally, in.in_use(), in.why_not(), count, datatype);
  return received(in, comm, status, [&](MPI_Status* used) {
    return HALOCLINE_SYSTEM(Recv)(in.address(), in.count(), in.type(), source, tag, comm, used);
  });
}

int recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
         MPI_Status* status) {
  const auto known = HALOCLINE_KNOWN_SYSTEM(Prefix::plain, Recv).load(std::memory_order_relaxed);
  if (known == nullptr || may_be_committed(datatype) || any_under_way())
    return recv_packed(buf, count, datatype, source, tag, comm, status);
  return known(buf, count, datatype, source, tag, comm, status);
}

int sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
             int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
             MPI_Status* status) {
  const auto system = HALOCLINE_SYSTEM(Sendrecv);
  if (!may_be_committed(sendtype) && !may_be_committed(recvtype))
    return after_receive(system(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                                source, recvtag, comm, status));
  const WireBuffer out(Use::send, sendbuf, sendcount, sendtype, dest, comm);
  const WireBuffer in(Use::receive, recvbuf, recvcount, recvtype, source, comm);
  static Tally& tally = tally_of("MPI_Sendrecv");
  count_message(tally, out.in_use() || in.in_use(), out.why_not(), sendcount, sendtype);
  return received(in, comm, status, [&](MPI_Status* used) {
    return system(out.address(), out.count(), out.type(), dest, sendtag, in.address(), in.count(), in.type(),
                  source, recvtag, comm, used);
  });
}

}  // namespace halocline::preload
