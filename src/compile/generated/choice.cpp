// SPDX-License-Identifier: BSD-3-Clause
#include "compile/generated/choice.hpp"

#include "base/fail.hpp"
#include "base/numbers.hpp"

#include <cmath>
#include <limits>

namespace halocline::compile {
namespace {

void require_time(double seconds) {
  require(std::isfinite(seconds) && seconds >= 0, "the time ", seconds,
          " s is not one; it must be finite and not negative");
}

}  // namespace

std::optional<Count> break_even(double compile_seconds, double slow_seconds, double fast_seconds) {
  for (const double seconds : {compile_seconds, slow_seconds, fast_seconds}) require_time(seconds);
  if (fast_seconds >= slow_seconds) return std::nullopt;
  const double packs = std::ceil(compile_seconds / (slow_seconds - fast_seconds));
  if (packs >= to_double(std::numeric_limits<Count>::max())) return std::nullopt;
  return static_cast<Count>(packs);
}

}  // namespace halocline::compile
