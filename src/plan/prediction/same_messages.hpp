// SPDX-License-Identifier: BSD-3-Clause
// Are two problems about the same messages, however they are described?
#pragma once

#include "halocline/plan/plan.hpp"

#include <string>

namespace halocline::plan {

/// Why the processes of a grid have other messages for each other by the second problem than by the first;
/// empty if they have the same. The first and the last process are looked at, which have the largest and the
/// smallest shares of a mesh that is cut evenly.
[[nodiscard]] std::string why_other_messages(const Problem& planned, const Problem& here, const Grid& grid);

}  // namespace halocline::plan
