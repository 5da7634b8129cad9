// SPDX-License-Identifier: BSD-3-Clause
// One call whose blocks go through streams: a set of flows, as an exchange is.
#pragma once

#include "exchange/streams/stream_messages.hpp"
#include "exchange/streams/streams.hpp"

#include <span>
#include <vector>

namespace halocline::exchange {

/// Block i of `out` goes to target i, block i of `in` comes from source i. The blocks must stay where they
/// are.
class StreamCall : public Active {
 public:
  struct Options {
    std::size_t kind;  ///< Of the kinds of calls of the streams.
    int tag;           ///< Of its messages; those of one tag keep their order.
    Life life = Life::once;
    bool uses_memory = false;  ///< @pre Streams::use_memory() was called
    bool keeps_gaps = false;   ///< As in StreamMessages.
  };
  StreamCall(Streams& streams, std::span<BlockStream> out, std::span<BlockStream> in, const Options& options);
  ~StreamCall() override { streams_->progress().remove(*this); }

  /// Does any block come as a message?
  [[nodiscard]] bool receives_messages() const { return messages_.any_receives(); }
  /// As in StreamMessages; before start().
  void guard_receives() { messages_.guard_receives(); }

  /// Sends what can be sent at once. One that lives once is started once. Throws Error{mpi}; then there is
  /// nothing to wait for. @pre complete()
  void start();
  /// After start(): the blocks of the process to itself. Throws std::bad_alloc; the others go on.
  void copy_own();
  /// From now on whoever waits moves it. Returns when it is complete.
  void wait();

  bool advance() override;
  [[nodiscard]] bool complete() const override { return open_.empty() && messages_.done(); }
  [[nodiscard]] bool needs_messages_only() const override { return open_.empty(); }
  void wait_for_message() override { messages_.wait(); }

  /// MPI_SUCCESS, or MPI_ERR_TRUNCATE if a block that came was longer than the one that was expected, or what
  /// a message failed by. A shorter block leaves the rest as it is.
  [[nodiscard]] int code() const { return code_ == MPI_SUCCESS ? messages_.code() : code_; }

  /// Blocks out, by the ways that they take.
  struct BlocksByWay {
    Count through_memory = 0, as_messages = 0, copied = 0;
  };
  [[nodiscard]] const BlocksByWay& blocks() const { return blocks_; }

 private:
  void start_in_memory();

  Streams* streams_;
  std::size_t kind_;
  std::span<BlockStream> out_, in_;
  StreamMessages messages_;
  bool uses_memory_;
  std::vector<Flow*> open_;  ///< Those through memory that are not done.
  BlocksByWay blocks_;
  int code_ = MPI_SUCCESS;
};

}  // namespace halocline::exchange
