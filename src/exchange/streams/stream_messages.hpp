// SPDX-License-Identifier: BSD-3-Clause
// Blocks that travel as MPI messages, whatever their sizes: packed on the way out, unpacked when they have
// come.
#pragma once

#include "base/numbers.hpp"
#include "exchange/flows/flow.hpp"
#include "exchange/flows/wire.hpp"
#include "exchange/memory/kept_buffer.hpp"
#include "exchange/streams/block_stream.hpp"
#include "exchange/streams/request_calls.hpp"

#include <vector>

namespace halocline::exchange {

/// The messages of one call. The blocks must stay where they are.
///
/// Not Rounds: what has come tells how long it was, a message that failed is an error of this call alone, and
/// most are sent once, from where nothing was before.
///
/// A message that is too long overwrites nothing that it would not overwrite without us
/// (truncation_guard.hpp). Where that asks for it, whatever is packed keeps a gap, or what is received does.
/// Which of them a receive matches is the same in either case.
class StreamMessages : public Flow {
 public:
  /// What messages go by.
  struct Carrier {
    MPI_Comm comm;
    int tag;
    const RequestCalls* calls;
    bool keeps_gaps;  ///< Whatever is packed: the same on all processes.
  };
  /// None so far. Those between two processes of one tag keep their order.
  StreamMessages(const Carrier& carrier, Life life) : carrier_(carrier), life_(life) {}
  StreamMessages(const StreamMessages&) = delete;
  StreamMessages& operator=(const StreamMessages&) = delete;
  ~StreamMessages() override;

  /// @pre all receives come before all sends
  void add_receive(BlockStream& block, int rank);
  void add_send(BlockStream& block, int rank);
  /// Receives are to keep gaps from the next start on. Each process decides that for itself.
  void guard_receives();

  /// Posts all, with what the blocks have in them now. Those that live once are begun once.
  void begin() override;
  /// Looks for messages that have come, unpacks them.
  [[nodiscard]] bool advance() override { return move(carrier_.calls->testsome); }
  /// The same, but not before there is one. @pre not done()
  void wait() { (void)move(carrier_.calls->waitsome); }
  [[nodiscard]] bool needs_messages_only() const override { return true; }

  [[nodiscard]] bool done() const { return open_ == 0; }
  [[nodiscard]] bool any_receives() const { return receives_ > 0; }
  [[nodiscard]] Count sends() const { return to_count(messages_.size() - receives_); }
  /// MPI_SUCCESS, or what the first message that failed did.
  [[nodiscard]] int code() const { return code_; }

 private:
  struct StreamMessage {
    BlockStream* block;
    int rank;
    WireType wire;
    KeptBuffer buffer;                              ///< None where the block itself is sent or received.
    std::shared_ptr<const mpi::Datatype> with_gap;  ///< Of a message in a buffer with a gap.
    mpi::Datatype kept;  ///< The program's, where it is needed after the program may have freed it.
    /// What MPI gets.
    [[nodiscard]] BlockStream::InPlace place() const;
    /// From now on it lies in a buffer that has one.
    void add_gap();
    /// What is to be sent, where that takes a buffer.
    void pack() const;
  };

  void add(BlockStream& block, int rank);
  /// Posts it, or prepares it if it is persistent.
  void open(std::size_t message);
  [[nodiscard]] bool is_receive(std::size_t message) const { return message < receives_; }
  /// By a call that completes some requests.
  bool move(decltype(&PMPI_Testsome) call);
  void complete(std::size_t index, const MPI_Status& status, int code);
  [[nodiscard]] MPI_Count received_bytes(const StreamMessage& message, const MPI_Status& status, int code);

  Carrier carrier_;
  Life life_;
  bool guarded_ = false;                 ///< The receives have gaps.
  std::vector<StreamMessage> messages_;  ///< Receives first, as in all lists here.
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
  std::vector<int> indices_;
  std::size_t receives_ = 0, open_ = 0;
  int code_ = MPI_SUCCESS;
};

}  // namespace halocline::exchange
