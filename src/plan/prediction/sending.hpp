// SPDX-License-Identifier: BSD-3-Clause
// What the processes of a placed grid send, by the ways there are.
#pragma once

#include "plan/messages/node_tally.hpp"
#include "plan/prediction/prediction.hpp"

namespace halocline::plan {

// What is returned lives as long as `placed`.

/// One message to each process that gets something.
[[nodiscard]] Sending direct_sending(const Placed& placed, Carried carried);

/// One message for each neighbour and direction that gets something.
[[nodiscard]] Sending plain_sending(const Placed& placed);

/// Blocks that stay on a node go directly, all others as a schedule forwards them. @pre all shares are equal
[[nodiscard]] Sending combined_sending(const Placed& placed, const Schedule& schedule);

}  // namespace halocline::plan
