// SPDX-License-Identifier: BSD-3-Clause
// What Slurm tells the processes that srun starts.
#pragma once

#include <optional>

namespace halocline {

/// The node of this process among those of its step of Slurm, if the step has more processes than nodes, so
/// that somebody cannot be alone; nothing outside of Slurm.
[[nodiscard]] std::optional<int> shared_node_of_slurm();

}  // namespace halocline
