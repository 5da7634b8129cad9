#include "preload/neighbor/messages.hpp"

#include "mpi/handles/call.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/system.hpp"
#include "preload/process/truncation_guard.hpp"

#include <algorithm>

namespace halocline::preload {
namespace {

KeptBuffer memory(Count bytes) { return KeptBuffer(static_cast<std::size_t>(bytes)); }

KeptBuffer buffer_for(const Cargo& cargo) {
  return cargo.contiguous() != nullptr || cargo.in_place() ? KeptBuffer() : memory(cargo.bytes());
}

/// The same elements, for messages that are posted again later.
mpi::Datatype kept_type(const Cargo& cargo, Life life) {
  mpi::Datatype kept;
  if (life == Life::once || !cargo.in_place()) return kept;
  HALOCLINE_MPI(Type_contiguous, 1, cargo.in_place()->type, kept.put());
  HALOCLINE_MPI(Type_commit, kept.put());
  return kept;
}

/// Where senders keep gaps, nobody else has to.
bool needs_guard(const Links& links) {
  return writes_beyond_the_end && !links.keeps_gaps() && !links.errors().are_fatal();
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

/// What a message with a gap has room for.
Count gapped_bytes(const Cargo& cargo) { return std::max(cargo.bytes(), least_with_gap); }

}  // namespace

Cargo::InPlace Messages::Message::place() const {
  if (with_gap) return {buffer.get(), 1, with_gap->get()};
  if (const auto& own = cargo->in_place(); own && !buffer)
    return {own->address, own->count, kept ? kept.get() : own->type};
  return {buffer ? buffer.get() : cargo->contiguous(), wire.count(), wire.get()};
}

void Messages::Message::add_gap() {
  with_gap = known_type_with_gap(gapped_bytes(*cargo));
  buffer = memory(gapped_bytes(*cargo) + gap_bytes);
}

void Messages::Message::pack() const {
  if (!buffer) return;
  cargo->pack(buffer.get(), 0, cargo->bytes());
  if (with_gap) open_gap(buffer.get(), gapped_bytes(*cargo));
}

Messages::Messages(Links& links, Call call, std::span<Cargo> out, std::span<Cargo> in, Streams streams,
                   int tag, Life life)
    : life_(life), links_(&links), tag_(tag) {
  const auto by_message = [&](const auto& peer) { return streams == Streams::avoid || !peer.stream; };
  guarded_ = std::any_of(links.sources().begin(), links.sources().end(), by_message) && needs_guard(links);
  for (const Source& source : links.sources()) {
    if (!by_message(source)) continue;
    for (const int block : source.blocks[static_cast<std::size_t>(call)])
      add_receive(in[static_cast<std::size_t>(block)], source.rank);
  }
  receives_ = requests_.size();
  for (const Target& target : links.targets()) {
    if (!by_message(target)) continue;
    for (const int block : target.blocks) add_send(out[static_cast<std::size_t>(block)], target.rank);
  }
  statuses_.resize(requests_.size());
  indices_.resize(requests_.size());
  if (life_ == Life::persistent) return;
  open_ = requests_.size();
  traffic().as_messages += static_cast<Count>(open_ - receives_);
}

Messages::~Messages() {
  if (life_ == Life::once) return;
  int finalized = 1;
  PMPI_Finalized(&finalized);
  if (finalized != 0) return;
  for (MPI_Request& request : requests_)
    if (request != MPI_REQUEST_NULL) HALOCLINE_SYSTEM_BY(Way::profiling, Request_free)(&request);
}

void Messages::start() {
  code_ = MPI_SUCCESS;
  if (!guarded_ && needs_guard(*links_)) guard_receives();
  const auto post = HALOCLINE_SYSTEM_BY(Way::profiling, Start);  // past our own doors
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    Message& message = messages_[i];
    if (requests_[i] == MPI_REQUEST_NULL) {  // Open MPI frees persistent requests that failed
      if (is_receive(i))
        receive(message, requests_[i]);
      else
        send(message, requests_[i]);
    }
    if (!is_receive(i)) message.pack();
    mpi::check(post(&requests_[i]), "MPI_Start");
    ++open_;
  }
  traffic().as_messages += static_cast<Count>(requests_.size() - receives_);
}

void Messages::receive(Message& message, MPI_Request& request) {
  if (guarded_) message.add_gap();
  const auto post = life_ == Life::once ? PMPI_Irecv : PMPI_Recv_init;
  const auto [address, count, type] = message.place();
  mpi::check(post(address, count, type, message.rank, tag_, links_->comm(), &request), "MPI_Irecv");
}

void Messages::send(const Message& message, MPI_Request& request) {
  const auto post = life_ == Life::once ? PMPI_Isend : PMPI_Send_init;
  const auto [address, count, type] = message.place();
  mpi::check(post(address, count, type, message.rank, tag_, links_->comm(), &request), "MPI_Isend");
}

/// Nothing has been posted: which message a receive gets is decided when it is.
void Messages::guard_receives() {
  guarded_ = true;
  for (std::size_t i = 0; i < receives_; ++i) {
    if (requests_[i] != MPI_REQUEST_NULL) HALOCLINE_SYSTEM_BY(Way::profiling, Request_free)(&requests_[i]);
    receive(messages_[i], requests_[i]);
  }
}

Messages::Message Messages::message(Cargo& cargo, int rank) const {
  Message made{
      &cargo, rank, exchange::WireType(cargo.bytes()), buffer_for(cargo), {}, kept_type(cargo, life_)};
  if (made.buffer && links_->keeps_gaps() && cargo.bytes() >= least_with_gap) made.add_gap();
  return made;
}

void Messages::add_receive(Cargo& cargo, int rank) {
  Message& added = messages_.emplace_back(message(cargo, rank));
  receive(added, requests_.emplace_back(MPI_REQUEST_NULL));
}

void Messages::add_send(Cargo& cargo, int rank) {
  Message& added = messages_.emplace_back(message(cargo, rank));
  if (life_ == Life::once) added.pack();
  send(added, requests_.emplace_back(MPI_REQUEST_NULL));
}

void Messages::complete(std::size_t index, const MPI_Status& status, int code) {
  --open_;
  if (code != MPI_SUCCESS && code_ == MPI_SUCCESS) code_ = code;
  if (!is_receive(index)) return;
  Message& message = messages_[index];
  Cargo* const cargo = message.cargo;
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) PMPI_Error_class(code, &error_class);
  MPI_Count bytes = 0;
  if (error_class == MPI_ERR_TRUNCATE)
    bytes = cargo->bytes();
  else if (error_class == MPI_SUCCESS)
    HALOCLINE_MPI(Get_elements_x, &status, message.with_gap ? message.with_gap->get() : message.wire.get(),
                  &bytes);
  if (message.with_gap) {
    close_gap(message.buffer.get(), gapped_bytes(*cargo));
    if (bytes > cargo->bytes()) {  // there was room for more than the block
      if (code_ == MPI_SUCCESS) code_ = MPI_ERR_TRUNCATE;
      bytes = cargo->bytes();
    }
  }
  if (message.buffer && bytes > 0) cargo->unpack(message.buffer.get(), 0, bytes);
  cargo->finish(bytes);
  if (life_ == Life::once) message.buffer = KeptBuffer();
}

bool Messages::advance(bool block) {
  if (done()) return true;
  const auto count = static_cast<int>(requests_.size());
  int completed = 0;
  // Past our own doors: MPI may have called us, from inside one of them.
  const auto call =
      block ? HALOCLINE_SYSTEM_BY(Way::profiling, Waitsome) : HALOCLINE_SYSTEM_BY(Way::profiling, Testsome);
  int code = MPI_SUCCESS;
  {
    [[maybe_unused]] const ErrorsOfLists are_returned;
    code = call(count, requests_.data(), &completed, indices_.data(), statuses_.data());
  }
  if (code != MPI_SUCCESS) {
    int error_class = MPI_SUCCESS;
    PMPI_Error_class(code, &error_class);
    if (error_class != MPI_ERR_IN_STATUS) mpi::check(code, "MPI_Testsome");
  }
  if (completed == MPI_UNDEFINED) completed = 0;
  for (int i = 0; i < completed; ++i) {
    const auto n = static_cast<std::size_t>(i);
    // MPI fills MPI_ERROR only if one of them failed.
    complete(static_cast<std::size_t>(indices_[n]), statuses_[n],
             code == MPI_SUCCESS ? MPI_SUCCESS : statuses_[n].MPI_ERROR);
  }
  return done();
}

int copy_own(const Links& links, Call call, std::span<Cargo> out, std::span<Cargo> in) {
  if (links.self_target() == nullptr || links.self_source() == nullptr) return MPI_SUCCESS;
  const std::vector<int>& from = links.self_target()->blocks;
  const std::vector<int>& to = links.self_source()->blocks[static_cast<std::size_t>(call)];
  int code = MPI_SUCCESS;
  KeptBuffer buffer;
  Count room = 0;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    Cargo& source = out[static_cast<std::size_t>(from[i])];
    Cargo& target = in[static_cast<std::size_t>(to[i])];
    if (source.bytes() > target.bytes()) code = MPI_ERR_TRUNCATE;
    const Count bytes = std::min(source.bytes(), target.bytes());
    const std::byte* wire = source.contiguous();
    if (wire == nullptr && bytes > 0) {
      if (room < bytes) {
        buffer = memory(bytes);
        room = bytes;
      }
      source.pack(buffer.get(), 0, bytes);
      wire = buffer.get();
    }
    if (bytes > 0) target.unpack(wire, 0, bytes);
    target.finish(bytes);
  }
  traffic().copied += static_cast<Count>(from.size());
  return code;
}

}  // namespace halocline::preload
