// SPDX-License-Identifier: BSD-3-Clause
// Which GPU of its node a process uses.
#pragma once

#include "halocline/base/count.hpp"

#include <functional>
#include <optional>
#include <string>

namespace halocline::accelerate {

using ReadVariable = std::function<const char*(const char* name)>;

/// The number of this process among those of its node, as its launcher tells it by a variable; none if it
/// does not.
[[nodiscard]] std::optional<Count> local_rank(const ReadVariable& variable);

/// The GPU of a process that has chosen none: processes of a node take them in turn, and the first one where
/// nobody tells who they are. @pre devices > 0
[[nodiscard]] int dealt_gpu(int devices, std::optional<Count> local_rank);

/// Where a GPU is in its host, domain, bus, device and function, in one number; none if it is no such place.
[[nodiscard]] std::optional<Count> number_of_place(const std::string& place);

/// A number that the processes of a node have in common which use the same GPU, and no others of that node:
/// what HALOCLINE_GPU says, else where the GPU is whose context is current. None if the process has chosen
/// none yet. Opens no driver. Throws Error{invalid_argument} if HALOCLINE_GPU is nonsense.
[[nodiscard]] std::optional<Count> own_gpu();

}  // namespace halocline::accelerate
