// SPDX-License-Identifier: BSD-3-Clause
// What a message costs between two processes, by what they share, out of times that were measured.
#pragma once

#include "halocline/base/count.hpp"
#include "halocline/describe/runs.hpp"
#include "halocline/schedule/level_costs.hpp"

#include <span>
#include <string>
#include <vector>

namespace halocline::tools {

struct MessageTime {
  Count bytes;
  double seconds;  ///< From one process to the other.
};

/// A message of n bytes takes alpha + beta * n.
struct LinearTime {
  double alpha_seconds;
  double beta_seconds_per_byte;
  double largest_error;  ///< Of the model over all samples, relative to what was measured.
};

/// The line that is nearest to the samples, by the squares of relative errors: absolute ones would leave
/// small messages out of account. Neither number is negative.
/// @pre there is a sample, no time is 0
[[nodiscard]] LinearTime fit(std::span<const MessageTime> samples);

/// How long it took until every process had sent and received that many messages of that many bytes.
struct BurstTime {
  int messages;
  Count bytes;
  double seconds;
};

/// The bursts that tell what a message costs (1 to 32 of them, of a byte each) and what a byte costs (one
/// message of up to `largest_bytes`), without their times.
[[nodiscard]] std::vector<BurstTime> bursts(Count largest_bytes);

/// The longest message of such bursts if so many processes of a node send at once: a node sends 4 MiB at
/// most, within reason.
[[nodiscard]] Count largest_burst_bytes(Count processes);

/// How well a line through times explains them.
struct Evidence {
  double slope = 0;      ///< The median of the slopes between any two points.
  double intercept = 0;  ///< The median of what the points have above the line through zero of that slope.
  double rising = 0;     ///< The share of pairs of points of which the larger took longer.
  double missed = 0;     ///< By how much the line misses a point, relative to it: the median.
};

/// What bursts cost, and what speaks for it.
struct BurstPrice {
  schedule::LinearCost cost;
  Evidence messages, bytes;
  bool latency_of_bursts;  ///< Rather than of the message that was alone.
};

/// What the bursts cost by the message and by the byte of one process: the median of the slopes between any
/// two of them, which a few disturbed ones do not change. Where that is not more than nothing, messages are
/// paid for like the one that was alone under way, bytes as `alone` says. What one message takes longer than
/// that when nothing else is under way is latency; where it does not, since processes wait for processors
/// while all send, latency is what the bursts take besides their messages, if that is more than nothing.
/// @param ways_out processes share one way out of their node: a byte costs that part
[[nodiscard]] BurstPrice burst_price(std::span<const BurstTime> times, Count ways_out,
                                     std::span<const MessageTime> alone);

/// Why the price is no more than noise, in one sentence; empty if it is not. More messages, and longer ones,
/// have to take longer in three of four comparisons, and half of the times must be within 30 % of the line.
[[nodiscard]] std::string doubt_about(const BurstPrice& price);

/// How many processes of each node can send to other nodes at once so that every one receives as many as it
/// sends: no node has more than half of them. 0 if there is one node only.
[[nodiscard]] Count processes_at_once(const Runs& node_sizes);

}  // namespace halocline::tools
