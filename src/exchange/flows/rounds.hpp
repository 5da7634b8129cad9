// SPDX-License-Identifier: BSD-3-Clause
// Rounds of messages between processes by MPI's point-to-point calls: one message to each peer, or a
// message-combining schedule.
#pragma once

#include "exchange/flows/flow.hpp"
#include "exchange/flows/local_copy.hpp"
#include "exchange/flows/requests.hpp"
#include "exchange/flows/wire.hpp"
#include "exchange/memory/device_side.hpp"

#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace halocline::exchange {

/// What one process does in one round, with memory in place of slots.
struct RoundPlan {
  int to = MPI_PROC_NULL, from = MPI_PROC_NULL;
  int tag = 0;
  std::vector<compile::Part> sends, receives;  ///< Blocks of the message out and of that in.
  std::vector<LocalCopy> copies;               ///< Within the process.
  std::vector<int> after;                      ///< Earlier rounds that must be complete first.
  bool whole = false;                          ///< However long: alike in both processes.
};

/// Each round begins as soon as those it waits for are complete. Receives that need not wait are posted
/// before anything is sent, so that messages find them.
class Rounds : public Flow {
 public:
  static constexpr Count unlimited = std::numeric_limits<Count>::max();

  /// Of messages out, so many bytes are under way at once, or one message; short ones overtake long ones.
  /// @pre with a limit, messages to a process have different tags, and rounds that wait for others have no
  /// messages: all receives are posted, and every message gets away
  Rounds(std::span<const RoundPlan> plans, Wire wire, const mpi::EngineChoice& engine, MPI_Comm comm,
         Requests& requests, Count window = unlimited);
  /// What is sent is packed on a device meanwhile, and what comes is unpacked there: a message waits until it
  /// is packed, and the device hears of each that is complete. @pre no two rounds have the same process
  void stage_on(DeviceSide& device);

  void begin() override;
  [[nodiscard]] bool advance() override;
  [[nodiscard]] bool needs_messages_only() const override { return true; }
  [[nodiscard]] bool needs_all_messages() const override { return side_by_side_; }

 private:
  struct PostedMessage {
    Endpoint end;
    std::vector<std::size_t> requests;  ///< Of its fragments.
    std::size_t unpacked = 0;           ///< Fragments that were, of a message in.
  };
  struct RunningRound {
    std::optional<PostedMessage> out, in;
    Rank to = MPI_PROC_NULL, from = MPI_PROC_NULL;
    Count bytes_out = 0;
    std::vector<LocalCopy> copies;
    std::vector<int> after;
    bool receiving = false, begun = false;
    bool settled = false;  ///< Its slots are written, and free to be written again.
    bool told = false;     ///< The device, that its message is complete.
  };

  [[nodiscard]] bool may_begin(const RunningRound& round) const;
  void start_receiving(RunningRound& round);
  [[nodiscard]] bool sent(const PostedMessage& message) const;
  /// Packs what it says and sends it.
  void send(PostedMessage& message);
  /// Do many share the copies of these fragments, which are not one?
  [[nodiscard]] bool shared(const Endpoint& end, std::size_t first, std::size_t next) const;
  /// Unpacks what has arrived. Was it all?
  bool take(PostedMessage& message);
  /// Counts what is under way still.
  void make_room();
  void begin_round(RunningRound& round);
  /// Goes on with a round that was begun. Is it complete?
  bool finish_round(RunningRound& round);

  std::vector<RunningRound> rounds_;
  bool side_by_side_ = true;  ///< No round waits for another or for room, and nothing is to be unpacked.
  /// Also nothing to be packed or copied: the rounds need not be looked at, which would take longer than all
  /// else where many processes share a cache.
  bool only_requests_ = false;
  DeviceSide* device_ = nullptr;
  Requests& requests_;
  const Count window_;
  const std::size_t first_request_;  ///< Receives come first.
  std::size_t end_request_ = 0;
  bool limited_ = false;  ///< Not all messages out have room at once.
  Count under_way_ = 0;
  std::size_t first_open_ = 0;  ///< All rounds before it are complete.
};

}  // namespace halocline::exchange
