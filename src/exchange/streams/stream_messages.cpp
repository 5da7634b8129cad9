// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/streams/stream_messages.hpp"

#include "base/numbers.hpp"
#include "exchange/streams/truncation_guard.hpp"
#include "mpi/handles/call.hpp"

#include <algorithm>

namespace halocline::exchange {
namespace {

KeptBuffer memory_of(Count bytes) { return KeptBuffer(to_size(bytes)); }

/// The same elements, for messages that are posted again later.
mpi::Datatype kept_type(const BlockStream& block, Life life) {
  mpi::Datatype kept;
  if (life == Life::once || !block.in_place()) return kept;
  HALOCLINE_MPI(Type_contiguous, 1, block.in_place()->type, kept.put());
  HALOCLINE_MPI(Type_commit, kept.put());
  return kept;
}

/// What a message with a gap has room for.
Count gapped_bytes(const BlockStream& block) { return std::max(block.bytes(), least_with_gap); }

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) PMPI_Error_class(code, &error_class);
  return error_class;
}

/// Errors of a list of requests are returned, whatever the program wants for its own.
class ErrorsOfLists {
#if !defined(OPEN_MPI)  // it asks the communicator of the request, which is ours
 public:
  // MPICH asks MPI_COMM_WORLD.
  ErrorsOfLists() {
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &programs_);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  ErrorsOfLists(const ErrorsOfLists&) = delete;
  ErrorsOfLists& operator=(const ErrorsOfLists&) = delete;
  ~ErrorsOfLists() {
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, programs_);
    PMPI_Errhandler_free(&programs_);
  }

 private:
  MPI_Errhandler programs_ = MPI_ERRHANDLER_NULL;
#endif
};

}  // namespace

BlockStream::InPlace StreamMessages::StreamMessage::place() const {
  if (with_gap) return {buffer.get(), 1, with_gap->get()};
  if (const auto& own = block->in_place(); own && !buffer)
    return {own->address, own->count, kept ? kept.get() : own->type};
  return {buffer ? buffer.get() : block->contiguous(), wire.count(), wire.get()};
}

void StreamMessages::StreamMessage::add_gap() {
  with_gap = known_type_with_gap(gapped_bytes(*block));
  buffer = memory_of(gapped_bytes(*block) + gap_bytes);
}

void StreamMessages::StreamMessage::pack() const {
  if (!buffer) return;
  block->pack(buffer.get(), 0, block->bytes());
  if (with_gap) open_gap(buffer.get(), gapped_bytes(*block));
}

StreamMessages::~StreamMessages() {
  if (life_ == Life::once) return;
  int finalized = 1;
  PMPI_Finalized(&finalized);
  if (finalized != 0) return;
  for (MPI_Request& request : requests_)
    if (request != MPI_REQUEST_NULL) carrier_.calls->request_free(&request);
}

void StreamMessages::add(BlockStream& block, int rank) {
  StreamMessage& added = messages_.emplace_back(
      StreamMessage{&block, rank, WireType(block.bytes()), {}, {}, kept_type(block, life_)});
  if (block.contiguous() == nullptr && !block.in_place()) {
    if (carrier_.keeps_gaps && block.bytes() >= least_with_gap)
      added.add_gap();
    else
      added.buffer = memory_of(block.bytes());
  }
  requests_.push_back(MPI_REQUEST_NULL);
}

void StreamMessages::add_receive(BlockStream& block, int rank) {
  add(block, rank);
  ++receives_;
}

void StreamMessages::add_send(BlockStream& block, int rank) { add(block, rank); }

/// Nothing has been posted: which message a receive gets is decided when it is.
void StreamMessages::guard_receives() {
  if (guarded_) return;
  guarded_ = true;
  for (std::size_t i = 0; i < receives_; ++i) {
    if (requests_[i] != MPI_REQUEST_NULL) carrier_.calls->request_free(&requests_[i]);
    messages_[i].add_gap();
  }
}

void StreamMessages::open(std::size_t message) {
  const auto [address, count, type] = messages_[message].place();
  const int rank = messages_[message].rank;
  MPI_Request& request = requests_[message];
  const bool once = life_ == Life::once;
  if (is_receive(message))
    mpi::check((once ? PMPI_Irecv : PMPI_Recv_init)(address, count, type, rank, carrier_.tag, carrier_.comm,
                                                    &request),
               once ? "MPI_Irecv" : "MPI_Recv_init");
  else
    mpi::check((once ? PMPI_Isend : PMPI_Send_init)(address, count, type, rank, carrier_.tag, carrier_.comm,
                                                    &request),
               once ? "MPI_Isend" : "MPI_Send_init");
}

void StreamMessages::begin() {
  code_ = MPI_SUCCESS;
  statuses_.resize(requests_.size());
  indices_.resize(requests_.size());
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (!is_receive(i)) messages_[i].pack();
    // Persistent ones are prepared the first time, and again after Open MPI has freed one that failed.
    if (requests_[i] == MPI_REQUEST_NULL) open(i);
    if (life_ == Life::persistent) mpi::check(carrier_.calls->start(&requests_[i]), "MPI_Start");
    ++open_;
  }
}

MPI_Count StreamMessages::received_bytes(const StreamMessage& message, const MPI_Status& status, int code) {
  const Count room = message.block->bytes();
  MPI_Count bytes = 0;
  const int error_class = class_of(code);
  if (error_class == MPI_ERR_TRUNCATE) return room;
  if (error_class == MPI_SUCCESS)
    HALOCLINE_MPI(Get_elements_x, &status, message.with_gap ? message.with_gap->get() : message.wire.get(),
                  &bytes);
  if (!message.with_gap || bytes <= room) return bytes;
  if (code_ == MPI_SUCCESS) code_ = MPI_ERR_TRUNCATE;  // there was room for more than the block
  return room;
}

void StreamMessages::complete(std::size_t index, const MPI_Status& status, int code) {
  --open_;
  if (code != MPI_SUCCESS && code_ == MPI_SUCCESS) code_ = code;
  if (!is_receive(index)) return;
  StreamMessage& message = messages_[index];
  BlockStream& block = *message.block;
  const MPI_Count bytes = received_bytes(message, status, code);
  if (message.with_gap) close_gap(message.buffer.get(), gapped_bytes(block));
  if (message.buffer && bytes > 0) block.unpack(message.buffer.get(), 0, bytes);
  block.finish(bytes);
  if (life_ == Life::once) message.buffer = KeptBuffer();
}

bool StreamMessages::move(decltype(&PMPI_Testsome) call) {
  if (done()) return true;
  int completed = 0;
  int code = MPI_SUCCESS;
  {
    [[maybe_unused]] const ErrorsOfLists are_returned;
    code = call(to_int(requests_.size()), requests_.data(), &completed, indices_.data(), statuses_.data());
  }
  if (code != MPI_SUCCESS && class_of(code) != MPI_ERR_IN_STATUS) mpi::check(code, "MPI_Testsome");
  if (completed == MPI_UNDEFINED) completed = 0;
  for (int i = 0; i < completed; ++i) {
    const auto n = to_size(i);
    // MPI fills MPI_ERROR only if one of them failed.
    complete(to_size(indices_[n]), statuses_[n], code == MPI_SUCCESS ? MPI_SUCCESS : statuses_[n].MPI_ERROR);
  }
  return done();
}

}  // namespace halocline::exchange
