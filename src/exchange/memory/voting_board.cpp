// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/memory/voting_board.hpp"

#include "base/index.hpp"

#include <new>

namespace halocline::exchange {

std::unique_ptr<VotingBoard> VotingBoard::create(NodeMemory& memory, int processes, int me) {
  auto arena = memory.allocate(sizeof(Votes), [](std::byte* mine) { new (mine) Votes{}; });
  return arena ? std::make_unique<VotingBoard>(std::move(arena), processes, me) : nullptr;
}

VotingBoard::VotingBoard(std::unique_ptr<NodeMemory::Arena> arena, int processes, int me)
    : arena_(std::move(arena)), processes_(processes), me_(me), seen_(processes) {}

std::atomic<std::uint64_t>& VotingBoard::word(int process) const {
  return reinterpret_cast<Votes*>(arena_->of[to_index(process)])->words[question_ % 2];
}

void VotingBoard::vote(bool yes) {
  ++question_;
  seen_ = 0;
  all_yes_ = true;
  word(me_).store(question_ * 2 + (yes ? 1 : 0), std::memory_order_release);
}

bool VotingBoard::advance() {
  for (; seen_ < processes_; ++seen_) {
    const std::uint64_t vote = word(seen_).load(std::memory_order_acquire);
    if (vote / 2 != question_) return false;
    all_yes_ = all_yes_ && vote % 2 == 1;
  }
  return true;
}

}  // namespace halocline::exchange
