#include "preload/neighbor/swap.hpp"

#include "base/pause.hpp"
#include "mpi/handles/call.hpp"
#include "preload/neighbor/messages.hpp"
#include "preload/process/journal.hpp"
#include "preload/process/tags.hpp"

#include <algorithm>
#include <cstring>

#include <sched.h>

namespace halocline::preload {
namespace {

/// At the beginning of each chunk: the bytes of its block in all. What follows has the alignment of any type.
struct Head {
  std::uint64_t bytes;
  std::uint64_t unused = 0;
};
constexpr Count head_bytes = sizeof(Head);

Count room_of(const Stream& stream) { return stream.channel.shape().chunk_bytes - head_bytes; }

/// The blocks of this call that go to one process.
class Writing {
 public:
  Writing(Target& target, std::span<Cargo> out) : target_(&target), out_(out) {}

  /// Writes as much as there is room for. True when all is written.
  bool advance() {
    Stream& stream = *target_->stream;
    for (; block_ < target_->blocks.size() && stream.channel.writable(stream.next); ++stream.next) {
      Cargo& cargo = out_[static_cast<std::size_t>(target_->blocks[block_])];
      std::byte* const slot = stream.channel.slot(stream.next);
      const Head head{static_cast<std::uint64_t>(cargo.bytes())};
      std::memcpy(slot, &head, sizeof head);
      const Count bytes = std::min(room_of(stream), cargo.bytes() - done_);
      if (bytes > 0) cargo.pack(slot + head_bytes, done_, bytes);
      stream.channel.publish(0, stream.next);
      done_ += bytes;
      if (done_ < cargo.bytes()) continue;
      ++block_;
      done_ = 0;
    }
    return block_ == target_->blocks.size();
  }

 private:
  Target* target_;
  std::span<Cargo> out_;
  std::size_t block_ = 0;
  Count done_ = 0;  ///< Bytes of the current block.
};

/// The blocks of this call that come from one process.
class Reading {
 public:
  Reading(Source& source, Call call, std::span<Cargo> in, int& code)
      : source_(&source), blocks_(&source.blocks[static_cast<std::size_t>(call)]), in_(in), code_(&code) {}

  bool advance() {
    Stream& stream = *source_->stream;
    for (; block_ < blocks_->size() && stream.channel.readable(stream.next); ++stream.next) {
      const std::byte* const slot = stream.channel.slot(stream.next);
      Head head{};
      std::memcpy(&head, slot, sizeof head);
      take(slot + head_bytes, static_cast<Count>(head.bytes), room_of(stream));
      stream.channel.release(0, stream.next);
    }
    return block_ == blocks_->size();
  }

 private:
  void take(const std::byte* wire, Count message_bytes, Count room) {
    Cargo& cargo = in_[static_cast<std::size_t>((*blocks_)[block_])];
    const Count bytes = std::min(room, message_bytes - done_);
    const Count wanted = std::min(bytes, cargo.bytes() - done_);
    if (wanted > 0) cargo.unpack(wire, done_, wanted);
    done_ += bytes;
    if (done_ < message_bytes) return;
    if (message_bytes > cargo.bytes()) *code_ = MPI_ERR_TRUNCATE;
    cargo.finish(std::min(message_bytes, cargo.bytes()));
    ++block_;
    done_ = 0;
  }

  Source* source_;
  const std::vector<int>* blocks_;
  std::span<Cargo> in_;
  int* code_;
  std::size_t block_ = 0;
  Count done_ = 0;
};

/// What to do while others are not ready. The program's own requests go on as well, as in any call of MPI.
class Patience {
 public:
  explicit Patience(const Links& links) : comm_(links.comm()), spins_(links.crowded() ? 0 : 200) {}
  void wait_a_moment() {
    if (++turns_ < spins_) return pause_briefly();
    if (turns_ % 16 == 0) {
      int flag = 0;
      // For what never comes: a probe that finds something, or looks at MPI_COMM_SELF, makes no progress in
      // MPICH.
      HALOCLINE_MPI(Iprobe, MPI_ANY_SOURCE, unused_tag, comm_, &flag, MPI_STATUS_IGNORE);
    }
    sched_yield();
  }

 private:
  MPI_Comm comm_;
  int spins_, turns_ = 0;
};

}  // namespace

int swap(Links& links, Call call, std::span<Cargo> out, std::span<Cargo> in) {
  int code = MPI_SUCCESS;
  std::vector<Writing> writing;
  std::vector<Reading> reading;
  for (Target& target : links.targets())
    if (target.stream) {
      writing.emplace_back(target, out);
      traffic().through_memory += static_cast<Count>(target.blocks.size());
    }
  for (Source& source : links.sources())
    if (source.stream) reading.emplace_back(source, call, in, code);
  Messages messages(links, call, out, in, Streams::use, blocking_tag);
  std::erase_if(writing, [](Writing& one) { return one.advance(); });
  const int own = copy_own(links, call, out, in);
  if (own != MPI_SUCCESS) code = own;

  Patience patience(links);
  while (!writing.empty() || !reading.empty()) {
    std::erase_if(writing, [](Writing& one) { return one.advance(); });
    std::erase_if(reading, [](Reading& one) { return one.advance(); });
    if (!messages.done()) messages.advance(false);
    if (!writing.empty() || !reading.empty()) patience.wait_a_moment();
  }
  while (!messages.advance(true)) {
  }
  return code == MPI_SUCCESS ? messages.code() : code;
}

}  // namespace halocline::preload
