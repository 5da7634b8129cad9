// SPDX-License-Identifier: BSD-3-Clause
// Whether all processes of a neighbourhood say yes: asked before something that takes its time anyway, and
// answered after it.
#pragma once

#include "exchange/neighborhood/context.hpp"

namespace halocline::exchange {

/// By the voting board if all processes are on one node, which costs next to nothing; by a reduction in the
/// background otherwise.
class Ballot {
 public:
  /// `may_share`: may processes share memory? Collective.
  Ballot(std::shared_ptr<Context> context, bool may_share);
  Ballot(const Ballot&) = delete;
  Ballot& operator=(const Ballot&) = delete;
  ~Ballot() = default;

  /// What this process says. Every process has to say something each time.
  void cast(bool yes);
  /// Have all said yes? Waits for all. @pre cast() since the last time
  [[nodiscard]] bool unanimous();

 private:
  std::shared_ptr<Context> context_;
  VotingBoard* board_;
  MPI_Request reduction_ = MPI_REQUEST_NULL;
  Count least_ = 0;
};

}  // namespace halocline::exchange
