// SPDX-License-Identifier: BSD-3-Clause
#include "compile/generated/choice.hpp"

#include "base/fail.hpp"
#include "halocline/base/error.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace halocline::compile {
namespace {

struct NamedChoice {
  std::string_view name;
  Choice choice;
};

constexpr std::array choices{
    NamedChoice{"auto", Choice::automatic},
    NamedChoice{"kernels", Choice::kernels},
    NamedChoice{"llvm", Choice::llvm},
};

void require_time(double seconds) {
  require(std::isfinite(seconds) && seconds >= 0, "the time ", seconds,
          " s is not one; it must be finite and not negative");
}

}  // namespace

std::string_view to_text(Choice choice) {
  for (const NamedChoice& row : choices)
    if (row.choice == choice) return row.name;
  fail(Fault::invalid_argument, "there is no choice number ", static_cast<int>(choice));
}

std::optional<Count> break_even(double compile_seconds, double slow_seconds, double fast_seconds) {
  for (const double seconds : {compile_seconds, slow_seconds, fast_seconds}) require_time(seconds);
  if (fast_seconds >= slow_seconds) return std::nullopt;
  const double packs = std::ceil(compile_seconds / (slow_seconds - fast_seconds));
  if (packs >= static_cast<double>(std::numeric_limits<Count>::max())) return std::nullopt;
  return static_cast<Count>(packs);
}

}  // namespace halocline::compile
