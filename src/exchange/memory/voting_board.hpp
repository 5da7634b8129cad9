// SPDX-License-Identifier: BSD-3-Clause
// Where the processes of a node write what they say to a question, for all of them to see: to hear everybody
// costs no message.
#pragma once

#include "exchange/memory/node_memory.hpp"
#include "exchange/progress/progress.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace halocline::exchange {

/// Every process votes on each question, one question after the other. Lives as long as the memory of the
/// node, since others may still read what a process wrote last.
class VotingBoard : public Active {
 public:
  /// Null on all processes of the node if memory cannot be had. Collective over the node. The memory is not
  /// owned.
  [[nodiscard]] static std::unique_ptr<VotingBoard> create(NodeMemory& memory, int processes, int me);

  VotingBoard(std::unique_ptr<NodeMemory::Arena> arena, int processes, int me);

  /// What this process says to the next question.
  void vote(bool yes);

  /// Looks for the votes of the others.
  bool advance() override;
  /// Have all voted?
  [[nodiscard]] bool complete() const override { return seen_ == processes_; }
  [[nodiscard]] bool needs_messages_only() const override { return false; }
  void wait_for_message() override {}

  /// Have all said yes? @pre complete()
  [[nodiscard]] bool unanimous() const { return all_yes_; }

 private:
  /// The votes of a process on the last two questions, which take turns. A vote is the number of its question
  /// and the answer in one word. Nobody votes on the next question but one before all have voted on the next,
  /// and whoever did that has seen all votes on this one: two words are enough.
  struct alignas(64) Votes {
    std::array<std::atomic<std::uint64_t>, 2> words;
  };
  [[nodiscard]] std::atomic<std::uint64_t>& word(int process) const;

  std::unique_ptr<NodeMemory::Arena> arena_;
  int processes_, me_;
  std::uint64_t question_ = 0;
  int seen_;  ///< Processes whose votes were seen, one after the other.
  bool all_yes_ = true;
};

}  // namespace halocline::exchange
