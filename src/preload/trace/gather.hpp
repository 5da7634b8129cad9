// SPDX-License-Identifier: BSD-3-Clause
// The only messages of the recorder, in MPI_Finalize.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace halocline::recorder {

/// What rank 0 does with the texts of all ranks of the world: it takes one after the other, by rank, and is
/// done with them in the end.
struct Taker {
  std::function<bool(std::string_view text)> take;
  std::function<bool()> finish;  ///< Not called if anything went wrong before.
};

/// What finish() returns on rank 0, all return; false if it is not called or a call of MPI fails. Every rank
/// has messages for no more than log2(ranks) others, and holds what half of the ranks below it wrote.
/// Collective on the world.
[[nodiscard]] bool gather(const std::string& own, const Taker& taker);

}  // namespace halocline::recorder
