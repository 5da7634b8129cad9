// SPDX-License-Identifier: BSD-3-Clause
// Which messages a node should send as one, by what they cost.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/schedule/level_costs.hpp"

namespace halocline::schedule {

/// Throws Error{invalid_argument} for prices that are negative, not a number, or more than 1e100 seconds:
/// sums over as many messages and bytes as 64 bits can count stay finite.
void check(const LinearCost& cost);

/// All of them, as above.
void check(const LevelCosts& costs);

/// How long may be what two processes on different nodes have for each other, if it shall go with what their
/// nodes have for each other? Longer messages go on their own: what goes by node is on its way only when all
/// of it was written, and is copied once more on both sides, so it pays while messages are what costs. 4500
/// bytes at the costs above; between 2.5 KiB (TCP at 1 Gbit/s) and 10 KiB on the networks this was tried on
/// or is known for. Throws as check().
[[nodiscard]] Count longest_by_node(const LevelCosts& costs);

/// Do so many pairs of processes on two nodes gain by sending what they have for each other as one? Only if
/// that stands for several messages of each process; otherwise they send them sooner themselves.
[[nodiscard]] bool pays_by_node(Count pairs, Count writers, Count readers);

/// What goes from node to node as one is divided into messages of about 16 KiB, which travel side by side:
/// into how many, at most most_node_messages.
inline constexpr int most_node_messages = 64;
[[nodiscard]] Count node_messages(Count bytes);

}  // namespace halocline::schedule
