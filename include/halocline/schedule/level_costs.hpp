// What messages cost at the levels of a machine, and which of them a node should send as one.
#pragma once

#include "halocline/base/count.hpp"

namespace halocline {
namespace schedule {

/// The linear cost model: so much a message, so much a byte.
struct LinearCost {
  double round_seconds;  ///< alpha: what a message costs, however small.
  double byte_seconds;   ///< beta: what each byte adds.
  /// How long a message is under way besides, while its sender and receiver can do other things: what has to
  /// wait for a message waits for that as well.
  double latency_seconds = 0;
};

/// Throws Error{invalid_argument} for prices that are negative, not a number, or more than 1e100 seconds:
/// sums over as many messages and bytes as 64 bits can count stay finite.
void check(const LinearCost& cost);

}  // namespace schedule

/// A node has one way out that its processes share; on a node each process has its own. To choose between
/// ways of sending, only how they compare matters.
struct LevelCosts {
  schedule::LinearCost on_node{200e-9, 1 / 8e9, 300e-9};
  schedule::LinearCost between_nodes{1.5e-6, 1 / 12e9, 1.5e-6};
};

namespace schedule {

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
constexpr int most_node_messages = 64;
[[nodiscard]] Count node_messages(Count bytes);

}  // namespace schedule
}  // namespace halocline
