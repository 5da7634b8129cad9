// SPDX-License-Identifier: BSD-3-Clause
// The only messages of the recorder, in MPI_Finalize.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace halocline::recorder {

/// Rank 0 gets the texts of all ranks of the world, in order, and does something with them. What that
/// returns, all return; false if a call of MPI fails. Collective on the world.
[[nodiscard]] bool gather(const std::string& own,
                          const std::function<bool(const std::vector<std::string>& texts)>& use);

}  // namespace halocline::recorder
