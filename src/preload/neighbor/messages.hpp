// Blocks that travel as MPI messages: packed on the way out, unpacked when they have come.
#pragma once

#include "exchange/flows/wire.hpp"
#include "preload/neighbor/cargo.hpp"
#include "preload/neighbor/links.hpp"
#include "preload/process/kept_buffer.hpp"
#include "preload/process/request_life.hpp"

#include <span>
#include <vector>

namespace halocline::preload {

enum class Streams { use, avoid };

/// The messages of one call. The cargo must stay where it is.
///
/// A message that is too long overwrites nothing that it would not overwrite without us
/// (truncation_guard.hpp). Where some process went on after errors when links were made, whatever is packed
/// keeps a gap. Where none did, receives have one if errors of the communicator do not end the program when
/// they are posted. Each process decides that for itself: what is sent, and which receive it matches, is the
/// same in either case.
class Messages {
 public:
  /// Everything that goes by message: all blocks between different processes, or those alone whose processes
  /// do not share memory. Messages with the same tag between two processes keep their order. Those that live
  /// once are posted here, persistent ones by start().
  Messages(Links& links, Call call, std::span<Cargo> out, std::span<Cargo> in, Streams streams, int tag,
           Life life = Life::once);
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages();

  /// Posts persistent ones, with what the blocks have in them now. @pre done()
  void start();

  /// Looks for messages that have come, unpacks them. With `block`, waits for at least one. True when none is
  /// left.
  bool advance(bool block);
  [[nodiscard]] bool done() const { return open_ == 0; }
  /// MPI_SUCCESS, or what the first message that failed did.
  [[nodiscard]] int code() const { return code_; }

 private:
  struct Message {
    Cargo* cargo;
    int rank;
    exchange::WireType wire;
    KeptBuffer buffer;                              ///< None where the block itself is sent or received.
    std::shared_ptr<const mpi::Datatype> with_gap;  ///< Of a message in a buffer with a gap.
    mpi::Datatype kept;  ///< The program's, where it is needed after the program may have freed it.
    /// What MPI gets.
    [[nodiscard]] Cargo::InPlace place() const;
    /// From now on it lies in a buffer that has one.
    void add_gap();
    /// What is to be sent, where that takes a buffer.
    void pack() const;
  };

  [[nodiscard]] Message message(Cargo& cargo, int rank) const;
  void add_receive(Cargo& cargo, int rank);
  void add_send(Cargo& cargo, int rank);
  // These post it, or prepare it.
  void receive(Message& message, MPI_Request& request);
  void send(const Message& message, MPI_Request& request);
  void guard_receives();
  [[nodiscard]] bool is_receive(std::size_t message) const { return message < receives_; }
  void complete(std::size_t index, const MPI_Status& status, int code);

  Life life_;
  Links* links_;
  int tag_;
  bool guarded_ = false;           ///< The receives have gaps.
  std::vector<Message> messages_;  ///< Receives first, as in all lists here.
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
  std::vector<int> indices_;
  std::size_t receives_ = 0, open_ = 0;
  int code_ = MPI_SUCCESS;
};

/// Blocks of a process to itself. Returns as swap() does.
[[nodiscard]] int copy_own(const Links& links, Call call, std::span<Cargo> out, std::span<Cargo> in);

}  // namespace halocline::preload
