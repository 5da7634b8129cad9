// SPDX-License-Identifier: BSD-3-Clause
// The table of schedules: the command line, the tests and the benchmarks iterate over it.
#pragma once

#include "halocline/describe/stencil.hpp"
#include "schedule/parts/schedule.hpp"

#include <span>
#include <string_view>

namespace halocline::schedule {

/// One way to combine messages. Deterministic: every process that calls it with the same neighbourhood gets
/// the same schedule. Offsets of the stencil may repeat and may be zero; its weights do not matter. Throws
/// Error{unsupported} for a schedule of more than 2^26 moves.
struct Algorithm {
  std::string_view name;
  std::string_view source;  ///< Where the idea comes from, in one line.
  Schedule (*make)(const Stencil&, Operation);
};

/// Every algorithm: direct, torus, torus-direct, basis.
[[nodiscard]] std::span<const Algorithm> algorithms();

/// The algorithm of that name. Throws Error{invalid_argument} that lists the names there are.
[[nodiscard]] const Algorithm& algorithm(std::string_view name);

}  // namespace halocline::schedule
