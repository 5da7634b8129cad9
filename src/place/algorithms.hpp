// SPDX-License-Identifier: BSD-3-Clause
// The table of placement algorithms: the command line, the tests and the benchmarks iterate over it.
#pragma once

#include "halocline/place/placement.hpp"
#include "place/problem/problem.hpp"

#include <span>
#include <string_view>

namespace halocline::place {

/// One way to place. The function is deterministic and needs no communication: every process that calls it
/// with the same problem gets the same placement.
struct Algorithm {
  std::string_view name;
  std::string_view source;  ///< Where the idea comes from, in one line.
  Placement (*place)(const Problem&);
};

/// Every algorithm, from the plainest to the best.
[[nodiscard]] std::span<const Algorithm> algorithms();

/// The algorithm of that name. Throws Error{invalid_argument} that lists the names there are.
[[nodiscard]] const Algorithm& algorithm(std::string_view name);

}  // namespace halocline::place
