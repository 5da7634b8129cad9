// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/calls/ballot.hpp"

#include "exchange/progress/mpi_waiting.hpp"

namespace halocline::exchange {

Ballot::Ballot(std::shared_ptr<Context> context, bool may_share)
    : context_(std::move(context)), board_(may_share ? context_->board() : nullptr) {}

void Ballot::cast(bool yes) {
  if (board_ != nullptr) return board_->vote(yes);
  least_ = yes ? 1 : 0;
  reduction_ = start_least({&least_, 1}, context_->comm());
}

bool Ballot::unanimous() {
  Progress& progress = context_->progress();
  if (board_ == nullptr) {
    progress.wait(reduction_);
    return least_ != 0;
  }
  if (!board_->advance()) {
    progress.add(*board_);
    progress.wait(*board_);
  }
  return board_->unanimous();
}

}  // namespace halocline::exchange
