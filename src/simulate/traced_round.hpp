// SPDX-License-Identifier: BSD-3-Clause
// What the simulator does with a program that was traced: a message on each pair of ranks that sent any.
#pragma once

#include "halocline/describe/machine.hpp"
#include "place/order.hpp"
#include "plan/pattern/message_matrix.hpp"
#include "simulate/cluster.hpp"

#include <span>
#include <string>
#include <vector>

namespace halocline::simulate {

/// The first word of a TracedRound's command line; a Job's is none of this kind.
inline constexpr const char* traced_round_word = "traced";

struct TracedRound {
  Cluster cluster;
  Machine machine;               ///< Its nodes are the first of the cluster.
  plan::MessageMatrix messages;  ///< One on each pair.
  place::Order order;

  /// Reads the values in the order of traced_round_words(). Throws Error{invalid_argument}, also as check().
  [[nodiscard]] static TracedRound parse(std::span<const char* const> words);

  /// Throws Error{invalid_argument} that names what does not fit: more nodes than the cluster has, more
  /// processes on a node than cores, a message longer than 1 GiB.
  void check() const;
};

/// The words of its command line. `cluster` as Cluster::parse reads it, `trace` is a file;
/// plan::choose_order() says what the order is, which the ranks have if it is the `default_one`.
[[nodiscard]] std::vector<std::string> traced_round_words(const std::string& cluster, const Machine& machine,
                                                          const std::string& trace, bool default_one);

}  // namespace halocline::simulate
