// Blocks that travel as MPI messages: packed on the way out, unpacked when they have come.
#pragma once

#include "exchange/wire.hpp"
#include "preload/cargo.hpp"
#include "preload/life.hpp"
#include "preload/links.hpp"

#include <span>
#include <vector>

namespace halocline::preload {

enum class Streams { use, avoid };

/// The messages of one call. The cargo must stay where it is.
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
    exchange::WireType wire;
    std::unique_ptr<std::byte[]> buffer;  ///< Null where the block itself is sent or received.
    Cargo* cargo;
  };

  void add_receive(Cargo& cargo, int rank, int tag, MPI_Comm comm);
  void add_send(Cargo& cargo, int rank, int tag, MPI_Comm comm);
  [[nodiscard]] bool is_receive(std::size_t message) const { return message < receives_; }
  void complete(std::size_t index, const MPI_Status& status, int code);

  Life life_;
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
