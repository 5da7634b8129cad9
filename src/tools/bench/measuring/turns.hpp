// SPDX-License-Identifier: BSD-3-Clause
// Times of several pieces of work in one process, taken in turns: a disturbed moment hits all of them, and
// none always finds what the same other one left in the caches.
#pragma once

#include <functional>
#include <random>
#include <vector>

namespace halocline::tools {

/// The numbers below `number` in an order by chance: the same for all processes with the same generator.
[[nodiscard]] std::vector<std::size_t> shuffled(std::size_t number, std::mt19937& chance);

/// The median seconds of one call of each work over the rounds. In each round every one has its turn, in
/// another order, and is called as often as fills `sample_seconds`.
[[nodiscard]] std::vector<double> medians_in_turns(const std::vector<std::function<void()>>& works,
                                                   int rounds, double sample_seconds);

}  // namespace halocline::tools
